package checker

import (
	"math"
	mathbits "math/bits"
)

// sketch estimates how many different hashes it was given, in a little memory
// and with a standard error of 0.8% (Flajolet, Fusy, Gandouet and Meunier,
// "HyperLogLog: the analysis of a near-optimal cardinality estimation
// algorithm", 2007). It is a set of registers that only grow, so that neither
// order nor repetition nor who added what makes a difference.
//
// The estimate is the one of Ertl, "New cardinality estimation algorithms for
// HyperLogLog sketches", 2017, which needs neither another formula for small
// numbers nor tables against the bias where the two meet.
type sketch [registers]uint8

const (
	registerBits = 14
	registers    = 1 << registerBits
	maxRank      = 64 - registerBits + 1
)

// add puts in a hash: its first bits choose a register, which keeps the most
// zeros, plus 1, that the other bits began with.
func (s *sketch) add(h uint64) {
	rest := h<<registerBits | 1<<(registerBits-1)
	r := &s[h>>(64-registerBits)]
	*r = max(*r, uint8(mathbits.LeadingZeros64(rest)+1))
}

// merge adds what was put into another.
func (s *sketch) merge(t *sketch) {
	for i, r := range t {
		s[i] = max(s[i], r)
	}
}

func (s *sketch) estimate() uint64 {
	var count [maxRank + 1]float64 // of registers, by what they keep
	for _, r := range s {
		count[r]++
	}
	z := registers * full(1-count[maxRank]/registers)
	for r := maxRank - 1; r >= 1; r-- {
		z = (z + count[r]) / 2
	}
	z += registers * empty(count[0]/registers)
	return uint64(math.Round(registers * registers / (2 * math.Ln2 * z)))
}

// empty is Ertl's σ: x is the part of registers that kept nothing. For 1, when
// nothing was put in, it is infinite.
func empty(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	z, y := x, 1.0
	for before := -1.0; z != before; y *= 2 {
		before = z
		x *= x
		z += x * y
	}
	return z
}

// full is Ertl's τ: x is the part of registers that could keep more.
func full(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	z, y := 1-x, 1.0
	for before := -1.0; z != before; {
		before = z
		x = math.Sqrt(x)
		y /= 2
		z -= (1 - x) * (1 - x) * y
	}
	return z / 3
}

package seen

import "math/bits"

// Odd constants without structure: the first 64-bit blocks of the fraction of
// the square roots of 2, 3 and 5.
const (
	k0 = 0x6a09e667f3bcc909
	k1 = 0xbb67ae8584caa73b
	k2 = 0x3c6ef372fe94f82b
)

// mix multiplies to 128 bits and folds: every bit of a and b moves about half
// of the result's.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// Hash spreads a state over 64 bits, two words at each multiplication (the
// construction of Wang Yi's wyhash, 2019, without its seeds and lengths: all
// states of a set have the same size). Verdicts do not depend on it. It is the
// same in every process.
func Hash(state []uint64) uint64 {
	h := uint64(k0)
	for len(state) >= 2 {
		h = mix(state[0]^h, state[1]^k1)
		state = state[2:]
	}
	if len(state) == 1 {
		h = mix(state[0]^h, k1)
	}
	return mix(h, k2)
}

// hashAll hashes states of stride words that lie back to back. It is Hash in a
// loop, unrolled where a call for each state would cost more than the hash.
func hashAll(states []uint64, stride int, hashes []uint64) {
	switch stride {
	case 1:
		for i := range hashes {
			hashes[i] = mix(mix(states[i]^k0, k1), k2)
		}
	case 2:
		for i := range hashes {
			hashes[i] = mix(mix(states[2*i]^k0, states[2*i+1]^k1), k2)
		}
	case 3:
		for i := range hashes {
			h := mix(states[3*i]^k0, states[3*i+1]^k1)
			hashes[i] = mix(mix(states[3*i+2]^h, k1), k2)
		}
	default:
		for i := range hashes {
			hashes[i] = Hash(states[i*stride : (i+1)*stride])
		}
	}
}

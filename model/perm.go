package model

import (
	"fmt"
	"iter"
	"strings"
)

// Perm is a permutation of the identifiers 0, 1, … below the length of A:
// Perm[Client, [3]Client]. The zero value is the identity; == is equality.
type Perm[E ID, A Array[E]] struct {
	data A // data[i] = image of i, xor i, so that zero is the identity
}

// Len is the number of identifiers that are permuted.
func (p *Perm[E, A]) Len() int { return len(p.data) }

// At is the image of e.
func (p *Perm[E, A]) At(e E) E {
	if uint64(e) >= uint64(len(p.data)) {
		panic(fmt.Sprintf("permutation of %v: want 0 to %d", e, len(p.data)-1))
	}
	return p.data[e] ^ e
}

// Swap exchanges the images of a and b.
func (p *Perm[E, A]) Swap(a, b E) {
	x, y := p.At(a), p.At(b)
	p.data[a], p.data[b] = y^a, x^b
}

// Then is the permutation that applies p and then q.
func (p *Perm[E, A]) Then(q *Perm[E, A]) (r Perm[E, A]) {
	for i := range len(p.data) {
		r.data[i] = q.At(p.At(E(i))) ^ E(i)
	}
	return r
}

// Inverse is the permutation that undoes p.
func (p *Perm[E, A]) Inverse() (r Perm[E, A]) {
	for i := range len(p.data) {
		image := p.At(E(i))
		r.data[image] = E(i) ^ image
	}
	return r
}

// String is like [1 0 2]: the images of 0, 1, 2 as fmt prints them.
func (p Perm[E, A]) String() string {
	var images []string
	for i := range len(p.data) {
		images = append(images, fmt.Sprint(p.At(E(i))))
	}
	return "[" + strings.Join(images, " ") + "]"
}

// Perms yields every permutation of the identifiers below n that leaves the
// others alone, the identity first.
func Perms[E ID, A Array[E]](n int) iter.Seq[Perm[E, A]] {
	return func(yield func(Perm[E, A]) bool) {
		var p Perm[E, A]
		permute(&p, 0, n, yield)
	}
}

func permute[E ID, A Array[E]](p *Perm[E, A], from, n int, yield func(Perm[E, A]) bool) bool {
	if from >= n-1 {
		return yield(*p)
	}
	for i := from; i < n; i++ {
		p.Swap(E(from), E(i))
		ok := permute(p, from+1, n, yield)
		p.Swap(E(from), E(i))
		if !ok {
			return false
		}
	}
	return true
}

package model

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"
	"unsafe"
)

// Unsigned is the storage of a Set: one bit for each member.
type Unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// ID is the kind of type that names the members of a Set, the keys of a Map
// or the places of a Perm: a small number, counted from 0.
type ID interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64
}

// Set is a set of identifiers 0, 1, … as a bit set in a W: Set[Client, uint8]
// holds clients 0 to 7. The zero value is the empty set, == is equality. An
// identifier that does not fit W panics, which a search reports as a finding.
type Set[E ID, W Unsigned] struct{ bits W }

func (s Set[E, W]) bit(e E) W {
	if width := unsafe.Sizeof(s.bits) * 8; uint64(e) >= uint64(width) {
		panic(fmt.Sprintf("set member %v: want 0 to %d", e, width-1))
	}
	return 1 << uint64(e)
}

// Has says whether e is a member.
func (s Set[E, W]) Has(e E) bool { return s.bits&s.bit(e) != 0 }

// Add makes e a member.
func (s *Set[E, W]) Add(e E) { s.bits |= s.bit(e) }

// Remove makes e no member.
func (s *Set[E, W]) Remove(e E) { s.bits &^= s.bit(e) }

// Put makes e a member or not.
func (s *Set[E, W]) Put(e E, member bool) {
	if member {
		s.Add(e)
	} else {
		s.Remove(e)
	}
}

// Len is the number of members.
func (s Set[E, W]) Len() int { return bits.OnesCount64(uint64(s.bits)) }

// Empty says whether there is no member.
func (s Set[E, W]) Empty() bool { return s.bits == 0 }

// Clear removes all members.
func (s *Set[E, W]) Clear() { s.bits = 0 }

// Union, Intersect and Minus are the operations of their names.
func (s Set[E, W]) Union(t Set[E, W]) Set[E, W]     { return Set[E, W]{s.bits | t.bits} }
func (s Set[E, W]) Intersect(t Set[E, W]) Set[E, W] { return Set[E, W]{s.bits & t.bits} }
func (s Set[E, W]) Minus(t Set[E, W]) Set[E, W]     { return Set[E, W]{s.bits &^ t.bits} }

// Contains says whether every member of t is one of s.
func (s Set[E, W]) Contains(t Set[E, W]) bool { return t.bits&^s.bits == 0 }

// All yields the members in ascending order.
func (s Set[E, W]) All() iter.Seq[E] {
	return func(yield func(E) bool) {
		for b := uint64(s.bits); b != 0; b &= b - 1 {
			if !yield(E(bits.TrailingZeros64(b))) {
				return
			}
		}
	}
}

// String is like {a, b}, with each member as fmt prints it.
func (s Set[E, W]) String() string {
	var names []string
	for e := range s.All() {
		names = append(names, fmt.Sprint(e))
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// SetOf is the set of these members.
func SetOf[E ID, W Unsigned](members ...E) Set[E, W] {
	var s Set[E, W]
	for _, e := range members {
		s.Add(e)
	}
	return s
}

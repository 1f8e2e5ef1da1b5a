package model

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"
)

// Map maps identifiers 0, 1, … below the length of A, which is at most 16, to
// values: Map[Container, int8, [2]int8]. The zero value is the empty map; ==
// is equality, because the value of an absent key is zero.
type Map[K ID, V comparable, A Array[V]] struct {
	has  uint16 // bit k: key k is present
	data A      // data[k] is zero unless k is present
}

func (m *Map[K, V, A]) check(k K) int {
	if n := min(len(m.data), 16); uint64(k) >= uint64(n) {
		panic(fmt.Sprintf("map key %v: want 0 to %d", k, n-1))
	}
	return int(k)
}

// Has says whether k is present.
func (m *Map[K, V, A]) Has(k K) bool { return m.has>>m.check(k)&1 != 0 }

// Get is the value of k, or the zero value when k is absent.
func (m *Map[K, V, A]) Get(k K) V { return m.data[m.check(k)] }

// Put makes v the value of k.
func (m *Map[K, V, A]) Put(k K, v V) {
	i := m.check(k)
	m.data[i] = v
	m.has |= 1 << i
}

// PutIfAbsent makes v the value of k unless k is present.
func (m *Map[K, V, A]) PutIfAbsent(k K, v V) {
	if !m.Has(k) {
		m.Put(k, v)
	}
}

// Remove makes k absent.
func (m *Map[K, V, A]) Remove(k K) {
	i := m.check(k)
	var zero V
	m.data[i] = zero
	m.has &^= 1 << i
}

// Len is the number of keys that are present.
func (m *Map[K, V, A]) Len() int { return bits.OnesCount16(m.has) }

// Clear removes all keys.
func (m *Map[K, V, A]) Clear() { *m = Map[K, V, A]{} }

// All yields the present keys in ascending order, with their values.
func (m *Map[K, V, A]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for b := m.has; b != 0; b &= b - 1 {
			k := bits.TrailingZeros16(b)
			if !yield(K(k), m.data[k]) {
				return
			}
		}
	}
}

// String is like {a: 1, b: 2}, with keys and values as fmt prints them.
func (m Map[K, V, A]) String() string {
	var pairs []string
	for k, v := range m.All() {
		pairs = append(pairs, fmt.Sprintf("%v: %v", k, v))
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

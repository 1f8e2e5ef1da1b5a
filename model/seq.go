package model

import (
	"fmt"
	"iter"
	"strings"
)

// Array is any array of up to 32 T, or of 48 or 64: the storage of a Seq.
type Array[T any] interface {
	[1]T | [2]T | [3]T | [4]T | [5]T | [6]T | [7]T | [8]T |
		[9]T | [10]T | [11]T | [12]T | [13]T | [14]T | [15]T | [16]T |
		[17]T | [18]T | [19]T | [20]T | [21]T | [22]T | [23]T | [24]T |
		[25]T | [26]T | [27]T | [28]T | [29]T | [30]T | [31]T | [32]T |
		[48]T | [64]T
}

// Seq is a sequence of at most as many T as A has places: a log, a queue, a
// channel. Seq[Entry, [6]Entry] holds up to 6 entries. The zero value is the
// empty sequence; == is equality, because places past the end are zero.
//
// A sequence that would outgrow A panics with Full. A search reports that as
// a finding with the behaviour that leads there; nothing is ever dropped.
type Seq[T comparable, A Array[T]] struct {
	n    uint8 // 0 ≤ n ≤ len(data), and data[i] is zero for n ≤ i
	data A
}

// Full is the panic of a sequence that would outgrow its bound.
type Full struct{ Bound int } // places

func (f Full) Error() string {
	return fmt.Sprintf("sequence is full: its bound is %d", f.Bound)
}

// Len is the number of elements.
func (q *Seq[T, A]) Len() int { return int(q.n) }

// Cap is the largest number of elements.
func (q *Seq[T, A]) Cap() int { return len(q.data) }

// Empty says whether there is no element.
func (q *Seq[T, A]) Empty() bool { return q.n == 0 }

func (q *Seq[T, A]) check(i int) {
	if uint(i) >= uint(q.n) {
		panic(fmt.Sprintf("sequence index %d: want 0 to %d", i, int(q.n)-1))
	}
}

// At is the element at index i, 0 ≤ i < Len.
func (q *Seq[T, A]) At(i int) T { q.check(i); return q.data[i] }

// Put replaces the element at index i, 0 ≤ i < Len.
func (q *Seq[T, A]) Put(i int, v T) { q.check(i); q.data[i] = v }

// First and Last are the elements at the two ends; the sequence is not empty.
func (q *Seq[T, A]) First() T { return q.At(0) }
func (q *Seq[T, A]) Last() T  { return q.At(int(q.n) - 1) }

// Push appends v.
func (q *Seq[T, A]) Push(v T) { q.Insert(int(q.n), v) }

// Insert puts v before the element at index i, 0 ≤ i ≤ Len.
func (q *Seq[T, A]) Insert(i int, v T) {
	if int(q.n) == len(q.data) {
		panic(Full{len(q.data)})
	}
	q.n++
	q.check(i)
	for j := int(q.n) - 1; j > i; j-- {
		q.data[j] = q.data[j-1]
	}
	q.data[i] = v
}

// Remove takes out the element at index i, 0 ≤ i < Len, and returns it.
func (q *Seq[T, A]) Remove(i int) T {
	q.check(i)
	v := q.data[i]
	for j := i; j < int(q.n)-1; j++ {
		q.data[j] = q.data[j+1]
	}
	q.Truncate(int(q.n) - 1)
	return v
}

// Pop takes out the first element and returns it: the other end of Push.
func (q *Seq[T, A]) Pop() T { return q.Remove(0) }

// Truncate keeps the first n elements, 0 ≤ n ≤ Len.
func (q *Seq[T, A]) Truncate(n int) {
	if uint(n) > uint(q.n) {
		panic(fmt.Sprintf("truncate to %d: want 0 to %d", n, q.n))
	}
	var zero T
	for i := n; i < int(q.n); i++ {
		q.data[i] = zero
	}
	q.n = uint8(n)
}

// Clear removes all elements.
func (q *Seq[T, A]) Clear() { *q = Seq[T, A]{} }

// Index is the index of the first element equal to v, or -1.
func (q *Seq[T, A]) Index(v T) int {
	for i := range int(q.n) {
		if q.data[i] == v {
			return i
		}
	}
	return -1
}

// All yields the indices and elements from first to last.
func (q *Seq[T, A]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := range int(q.n) {
			if !yield(i, q.data[i]) {
				return
			}
		}
	}
}

// String is like [a b], with each element as fmt prints it.
func (q Seq[T, A]) String() string {
	var elements []string
	for _, v := range q.All() {
		elements = append(elements, fmt.Sprint(v))
	}
	return "[" + strings.Join(elements, " ") + "]"
}

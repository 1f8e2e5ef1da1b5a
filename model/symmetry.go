package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unsafe"
)

// maxMembers bounds a symmetric set.
const maxMembers = 16

// Renaming maps each member of a symmetric set to another one.
type Renaming[E ID] struct {
	to [maxMembers]uint8
	n  int
}

// To is the new name of e. An identifier outside the set keeps its name.
func (r *Renaming[E]) To(e E) E {
	if uint64(e) < uint64(r.n) {
		return E(r.to[e])
	}
	return e
}

// Renamed is the set of the new names of s's members.
func (s Set[E, W]) Renamed(r *Renaming[E]) (t Set[E, W]) {
	for e := range s.All() {
		t.Add(r.To(e))
	}
	return t
}

// Renamed is the map that has under each key's new name what m has under the
// key.
func (m *Map[K, V, A]) Renamed(r *Renaming[K]) (t Map[K, V, A]) {
	for k, v := range m.All() {
		t.Put(r.To(k), v)
	}
	return t
}

// Move puts each element of an array with a place for each member where the
// member's new name belongs: Move(r, s.Phase[:]).
func Move[E ID, T any](r *Renaming[E], places []T) {
	var done [maxMembers]bool
	for i := range min(r.n, len(places)) {
		if done[i] {
			continue
		}
		v, j := places[i], i
		for !done[j] {
			done[j] = true
			to := int(r.to[j])
			places[to], v = v, places[to]
			j = to
		}
	}
}

// Symmetry is a set of interchangeable identifiers. Interchangeable makes one.
type Symmetry[S any] struct {
	name   string
	n      int
	rename func(s *S, to *[maxMembers]uint8)
	key    func(s *S, e int) uint64
}

// Interchangeable declares that the identifiers 0, …, n-1 of a kind may be
// exchanged: that if rename gives every member in a state its new name,
// everywhere, the state's successors are those of the state before, renamed
// likewise, and every property is as true as before. The checker tests this
// on samples, and modeltest along random walks.
func Interchangeable[S any, E ID](name string, n int, rename func(s *S, r *Renaming[E])) Symmetry[S] {
	return Symmetry[S]{
		name: name, n: n,
		rename: func(s *S, to *[maxMembers]uint8) { rename(s, &Renaming[E]{*to, n}) },
	}
}

// By gives the checker a number for each member that depends on what the
// member is like and not on its name, nor on the names of others: its phase,
// say. Members are then put in the order of their numbers, and only those
// with the same one are tried in every order: for large sets it makes the
// difference. It need not tell all members apart.
func (y Symmetry[S]) By(key func(s *S, member int) uint64) Symmetry[S] { y.key = key; return y }

// SymmetryInfo describes a symmetric set.
type SymmetryInfo struct {
	Name    string
	Members int
}

func checkSymmetry[S any](all []Symmetry[S]) (infos []SymmetryInfo, err error) {
	for _, y := range all {
		if y.n < 1 || y.n > maxMembers {
			return nil, fmt.Errorf("symmetric set %s has %d members; want 1 to %d", y.name, y.n, maxMembers)
		}
		infos = append(infos, SymmetryInfo{y.name, y.n})
	}
	return infos, nil
}

// canonizer finds the representative of a state: of all states that differ
// from it by a renaming, and have the members with smaller keys first, the
// one that is smallest as a sequence of words. Two states are renamings of
// each other if and only if they have the same representative.
//
// Trying all orders of n members of the same key takes n! renamings; so first
// those are found that can be exchanged without a trace. They are alike, and
// only the orders of unlike ones are tried: for k groups of alike members
// n!/(n1!·…·nk!) instead of n!.
type canonizer[S any] struct {
	m     *Machine
	all   []Symmetry[S]
	best  []uint64
	work  []uint64
	runs  []run               // members with the same key, whose order matters
	alike [][maxMembers]uint8 // by set and place: a number for each group of alike members
}

// run is a run of neighbours in one set: members from to to-1.
type run struct{ set, from, to int }

func newCanonizer[S any](m *Machine, all []Symmetry[S]) *canonizer[S] {
	words := m.StateBytes / wordBytes
	return &canonizer[S]{
		m: m, all: all, best: make([]uint64, words), work: make([]uint64, words),
		alike: make([][maxMembers]uint8, len(all)),
	}
}

func state[S any](words []uint64) *S { return (*S)(unsafe.Pointer(&words[0])) }

// identity is the renaming that changes nothing.
var identity = func() (to [maxMembers]uint8) {
	for i := range to {
		to[i] = uint8(i)
	}
	return to
}()

// apply renames the state in words.
func (c *canonizer[S]) apply(set int, words []uint64, to *[maxMembers]uint8) {
	c.all[set].rename(state[S](words), to)
	for _, p := range c.m.layout.pads {
		words[p.word] &= p.mask
	}
}

func (c *canonizer[S]) exchange(set, i, j int, words []uint64) {
	to := identity
	to[i], to[j] = to[j], to[i]
	c.apply(set, words, &to)
}

// canonize replaces a state by its representative.
func (c *canonizer[S]) canonize(words []uint64) {
	c.runs = c.runs[:0]
	for set := range c.all {
		c.sort(set, words)
	}
	if len(c.runs) == 0 {
		return
	}
	copy(c.best, words)
	copy(c.work, words)
	c.try(0)
	copy(words, c.best)
}

// sort puts the members of a set in the order of their keys, and notes the
// runs of equal ones whose order makes a difference.
func (c *canonizer[S]) sort(set int, words []uint64) {
	y := &c.all[set]
	var keys [maxMembers]uint64
	if y.key != nil {
		for i := range y.n {
			keys[i] = y.key(state[S](words), i)
		}
		// Insertion sort of members; order[i] is who comes to place i.
		order := identity
		for i := 1; i < y.n; i++ {
			for j := i; j > 0 && keys[order[j]] < keys[order[j-1]]; j-- {
				order[j], order[j-1] = order[j-1], order[j]
			}
		}
		if order != identity {
			var to [maxMembers]uint8
			sorted := keys
			for place, member := range order {
				to[member] = uint8(place)
				sorted[place] = keys[member]
			}
			keys = sorted
			c.apply(set, words, &to)
		}
	}
	for from := 0; from < y.n; {
		to := from + 1
		for to < y.n && keys[to] == keys[from] {
			to++
		}
		if c.group(set, from, to, words) > 1 {
			c.runs = append(c.runs, run{set, from, to})
		}
		from = to
	}
}

// group numbers the members of a run by what they are alike to, and returns
// how many groups there are. Being alike is transitive: exchanging a and c is
// exchanging a and b, then b and c, then a and b.
func (c *canonizer[S]) group(set, from, to int, words []uint64) (groups int) {
	var first [maxMembers]int // the first member of each group
	alike := &c.alike[set]
	for i := from; i < to; i++ {
		g := 0
		for ; g < groups; g++ {
			copy(c.work, words)
			c.exchange(set, first[g], i, c.work)
			if slices.Equal(c.work, words) {
				break
			}
		}
		if g == groups {
			first[g] = i
			groups++
		}
		alike[i] = uint8(g)
	}
	return groups
}

// try goes through all orders of the runs from this one on.
func (c *canonizer[S]) try(index int) {
	if index == len(c.runs) {
		if slices.Compare(c.work, c.best) < 0 {
			copy(c.best, c.work)
		}
		return
	}
	c.permute(index, c.runs[index].from)
}

func (c *canonizer[S]) permute(index, from int) {
	r := c.runs[index]
	if from >= r.to-1 {
		c.try(index + 1)
		return
	}
	alike := &c.alike[r.set]
	tried := 0
	for i := from; i < r.to; i++ {
		if tried>>alike[i]&1 != 0 {
			continue
		}
		tried |= 1 << alike[i]
		if i > from {
			c.exchange(r.set, from, i, c.work)
			alike[from], alike[i] = alike[i], alike[from]
		}
		c.permute(index, from+1)
		if i > from {
			c.exchange(r.set, from, i, c.work)
			alike[from], alike[i] = alike[i], alike[from]
		}
	}
}

func (w *worker[S]) Canonize(state []byte) (fault *Fault) {
	if w.canon == nil {
		return nil
	}
	defer recoverIn("renaming", &fault)
	w.canon.canonize(unsafe.Slice((*uint64)(unsafe.Pointer(&state[0])), len(state)/wordBytes))
	return nil
}

func (w *worker[S]) Rename(state []byte, r *rand.Rand) (fault *Fault) {
	if w.canon == nil {
		return nil
	}
	defer recoverIn("renaming", &fault)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&state[0])), len(state)/wordBytes)
	for set, y := range w.canon.all {
		to := identity
		for i, j := range r.Perm(y.n) {
			to[i] = uint8(j)
		}
		w.canon.apply(set, words, &to)
	}
	return nil
}

// CheckSymmetry renames a state at random and compares: its successors must
// be those of the state, renamed, each of the properties must be as true, and
// both must have the same representative. It returns what differs, or nil.
func (m *Machine) CheckSymmetry(w Worker, state []byte, properties []int, r *rand.Rand) *Fault {
	seed := r.Uint64()
	renamed := func(s []byte) ([]byte, *Fault) {
		t := m.bytesOf(unsafe.Pointer(&s[0]))
		// The same renaming each time, and its representative the same.
		return t, w.Rename(t, rand.New(rand.NewPCG(seed, 0)))
	}
	other, fault := renamed(state)
	if fault != nil {
		return fault
	}
	one, two := m.bytesOf(unsafe.Pointer(&state[0])), slices.Clone(other)
	if fault := w.Canonize(one); fault != nil {
		return fault
	}
	if fault := w.Canonize(two); fault != nil {
		return fault
	}
	if string(one) != string(two) {
		return &Fault{Kind: Asymmetric, Where: "renaming", What: "a state and its renaming have different representatives: rename does not compose, or By depends on names"}
	}
	batch := m.NewBatch(16)
	if fault := w.Expand(state, batch); fault != nil {
		return fault
	}
	var want, got []string
	for i, l := range batch.Labels {
		t, fault := renamed(batch.State(i))
		if fault != nil {
			return fault
		}
		for _, p := range properties {
			if m.Properties[p].Kind != StepInvariant {
				continue
			}
			at1, f1 := w.JudgeStep(state, batch.State(i), []int{p})
			at2, f2 := w.JudgeStep(other, t, []int{p})
			if f1 == nil && f2 == nil && at1 != at2 {
				return m.asymmetric(p)
			}
		}
		want = append(want, m.Instance(l).Action+"\x00"+string(t))
	}
	batch.Truncate(0)
	if fault := w.Expand(other, batch); fault != nil {
		return fault
	}
	for i, l := range batch.Labels {
		got = append(got, m.Instance(l).Action+"\x00"+string(batch.State(i)))
	}
	if name := firstDifference(want, got); name != "" {
		action, _, _ := strings.Cut(name, "\x00")
		return &Fault{Kind: Asymmetric, Where: "action " + action,
			What: "renaming does not commute with it: a field is not renamed, or members are treated differently"}
	}
	for _, p := range properties {
		p1, q1, f1 := w.Holds(p, state)
		p2, q2, f2 := w.Holds(p, other)
		if f1 == nil && f2 == nil && (p1 != p2 || q1 != q2) {
			return m.asymmetric(p)
		}
	}
	return nil
}

func (m *Machine) asymmetric(property int) *Fault {
	return &Fault{Kind: NamesMember, Where: "property " + m.Properties[property].Name,
		What: "it is true of a state and false of its renaming"}
}

// firstDifference is the least string that only one of two sets has, or "".
func firstDifference(a, b []string) string {
	slices.Sort(a)
	slices.Sort(b)
	a, b = slices.Compact(a), slices.Compact(b)
	for i := 0; i < len(a) || i < len(b); i++ {
		switch {
		case i == len(a):
			return b[i]
		case i == len(b) || a[i] < b[i]:
			return a[i]
		case b[i] < a[i]:
			return b[i]
		}
	}
	return ""
}

package model

import (
	"maps"
	"slices"
	"testing"
)

// FuzzSeq plays the same operations on a Seq and on a slice.
func FuzzSeq(f *testing.F) {
	f.Add([]byte{0, 1, 0, 2, 3, 0, 5, 1})
	f.Fuzz(func(t *testing.T, ops []byte) {
		var q Seq[uint16, [5]uint16]
		var want []uint16
		for len(ops) >= 2 {
			op, v := ops[0]%7, ops[1]
			ops = ops[2:]
			n := len(want)
			full := false
			switch {
			case op == 0 || op == 1 && n == 0:
				full = panics(func() { q.Push(uint16(v)) })
				if n < q.Cap() {
					want = append(want, uint16(v))
				}
			case op == 1:
				i := int(v) % (n + 1)
				full = panics(func() { q.Insert(i, uint16(v)+300) })
				if n < q.Cap() {
					want = slices.Insert(want, i, uint16(v)+300)
				}
			case n == 0:
				if !panics(func() { q.Pop() }) {
					t.Fatal("Pop of an empty sequence does not panic")
				}
			case op == 2:
				if got := q.Pop(); got != want[0] {
					t.Fatalf("Pop: got %d, want %d", got, want[0])
				}
				want = want[1:]
			case op == 3:
				i := int(v) % n
				if got := q.Remove(i); got != want[i] {
					t.Fatalf("Remove: got %d, want %d", got, want[i])
				}
				want = slices.Delete(slices.Clone(want), i, i+1)
			case op == 4:
				q.Truncate(int(v) % (n + 1))
				want = want[:int(v)%(n+1)]
			case op == 5:
				q.Put(int(v)%n, uint16(v))
				want = slices.Clone(want)
				want[int(v)%n] = uint16(v)
			case op == 6:
				if got := q.Index(uint16(v)); got != slices.Index(want, uint16(v)) {
					t.Fatalf("Index: got %d, want %d", got, slices.Index(want, uint16(v)))
				}
			}
			if full != (op <= 1 && n == q.Cap()) {
				t.Fatalf("full sequence: panics %v with %d of %d", full, n, q.Cap())
			}
			var got []uint16
			for _, v := range q.All() {
				got = append(got, v)
			}
			if !slices.Equal(got, want) || q.Len() != len(want) {
				t.Fatalf("got %v, want %v", got, want)
			}
			var fresh Seq[uint16, [5]uint16]
			for _, v := range want {
				fresh.Push(v)
			}
			if q != fresh {
				t.Fatalf("%v is not canonical", q)
			}
		}
	})
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

// FuzzSetAndMap plays the same operations on a Set, a Map and on Go maps.
func FuzzSetAndMap(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 1, 1})
	f.Fuzz(func(t *testing.T, ops []byte) {
		var s Set[uint8, uint16]
		var m Map[uint8, int8, [16]int8]
		set, kv := map[uint8]bool{}, map[uint8]int8{}
		for len(ops) >= 2 {
			op, k, v := ops[0]%4, ops[0]>>4, int8(ops[1])
			ops = ops[2:]
			switch op {
			case 0:
				s.Add(k)
				set[k] = true
				m.Put(k, v)
				kv[k] = v
			case 1:
				s.Remove(k)
				delete(set, k)
				m.Remove(k)
				delete(kv, k)
			case 2:
				s.Put(k, v > 0)
				delete(set, k)
				if v > 0 {
					set[k] = true
				}
				m.PutIfAbsent(k, v)
				if _, ok := kv[k]; !ok {
					kv[k] = v
				}
			}
			if s.Has(k) != set[k] || s.Len() != len(set) || s.Empty() != (len(set) == 0) {
				t.Fatalf("got %v, want %v", s, set)
			}
			if !slices.Equal(slices.Collect(s.All()), slices.Sorted(maps.Keys(set))) {
				t.Fatalf("got %v, want %v", s, set)
			}
			if s != SetOf[uint8, uint16](slices.Collect(maps.Keys(set))...) {
				t.Fatalf("%v is not canonical", s)
			}
			if !maps.Equal(maps.Collect(m.All()), kv) || m.Len() != len(kv) || m.Get(k) != kv[k] {
				t.Fatalf("got %v, want %v", m, kv)
			}
			var fresh Map[uint8, int8, [16]int8]
			for k, v := range kv {
				fresh.Put(k, v)
			}
			if m != fresh {
				t.Fatalf("%v is not canonical", m)
			}
		}
	})
}

func TestSetAlgebra(t *testing.T) {
	a, b := SetOf[uint8, uint8](0, 1, 2), SetOf[uint8, uint8](2, 3)
	for _, c := range []struct {
		name      string
		got, want Set[uint8, uint8]
	}{
		{"union", a.Union(b), SetOf[uint8, uint8](0, 1, 2, 3)},
		{"intersect", a.Intersect(b), SetOf[uint8, uint8](2)},
		{"minus", a.Minus(b), SetOf[uint8, uint8](0, 1)},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
	if a.Contains(b) || !a.Contains(SetOf[uint8, uint8](1)) {
		t.Error("Contains is wrong")
	}
	if !panics(func() { a.Add(8) }) {
		t.Error("a member that does not fit does not panic")
	}
	if got := len(Subsets[uint8, uint8]("s", 3).Values); got != 8 {
		t.Errorf("got %d subsets of 3, want 8", got)
	}
}

func TestPerms(t *testing.T) {
	var all []Perm[uint8, [4]uint8]
	for p := range Perms[uint8, [4]uint8](4) {
		all = append(all, p)
	}
	if len(all) != 24 || all[0] != (Perm[uint8, [4]uint8]{}) {
		t.Fatalf("got %d permutations, the first %v, want 24 and the identity", len(all), all[0])
	}
	distinct := map[Perm[uint8, [4]uint8]]bool{}
	for _, p := range all {
		distinct[p] = true
		inverse := p.Inverse()
		if p.Then(&inverse) != all[0] {
			t.Errorf("%v then its inverse %v is not the identity", p, inverse)
		}
		for _, q := range all {
			r := p.Then(&q)
			for i := range uint8(4) {
				if r.At(i) != q.At(p.At(i)) {
					t.Fatalf("%v then %v: got %v", p, q, r)
				}
			}
		}
	}
	if len(distinct) != 24 {
		t.Errorf("got %d distinct ones, want 24", len(distinct))
	}
	for p := range Perms[uint8, [4]uint8](2) {
		if p.At(2) != 2 || p.At(3) != 3 {
			t.Errorf("%v moves more than the first two", p)
		}
	}
}

func TestStrings(t *testing.T) {
	var q Seq[uint8, [3]uint8]
	q.Push(7)
	q.Push(8)
	var m Map[uint8, int8, [4]int8]
	m.Put(2, -1)
	for got, want := range map[string]string{
		q.String():                            "[7 8]",
		m.String():                            "{2: -1}",
		SetOf[uint8, uint8](1, 3).String():    "{1, 3}",
		(Perm[uint8, [3]uint8]{}).String():    "[0 1 2]",
		Unfair.String() + "," + Weak.String(): "none,weak",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

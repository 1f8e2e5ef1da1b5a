package seen

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// state makes the words of a state from a number.
func state(stride int, n uint64) []uint64 {
	s := make([]uint64, stride)
	for i := range s {
		s[i] = n >> (i * 7)
	}
	return s
}

// FuzzSet inserts the same states into a Set and a map, in batches, through
// two writers, and grows when it must.
func FuzzSet(f *testing.F) {
	f.Add(uint8(1), []byte{1, 2, 3, 4, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, strideByte uint8, data []byte) {
		stride := 1 + int(strideByte)%5
		set := New(stride*wordBytes, 2)
		defer set.Close()
		known := map[string]Ref{}
		for turn := 0; len(data) > 0; turn++ {
			n := min(len(data), 1+int(data[0]))
			var batch []uint64
			var keys []string
			for _, b := range data[:n] {
				s := state(stride, uint64(b)*uint64(1+turn%3))
				batch = append(batch, s...)
				keys = append(keys, string(key(s)))
			}
			data = data[n:]
			w := set.Writers()[turn%2]
			first := w.Len()
			fresh := w.Insert(batch, nil)
			var want []int
			for i, k := range keys {
				if _, ok := known[k]; !ok {
					known[k] = w.Ref(first + len(want))
					want = append(want, i)
				}
			}
			if !slices.Equal(fresh, want) {
				t.Fatalf("got new states %v, want %v", fresh, want)
			}
			// Each time by a third: a dozen times, or it takes gigabytes.
			if turn%5 == 4 && turn < 60 {
				set.Grow()
			}
		}
		if set.Len() != len(known) {
			t.Fatalf("got %d states, want %d", set.Len(), len(known))
		}
		for k, r := range known {
			if string(set.State(r)) != k || set.Ref([]byte(k)) != r {
				t.Fatalf("state %x is not at %d", k, r)
			}
		}
		if r := set.Ref(key(state(stride, 1<<60))); r != Missing {
			t.Fatalf("got %d for a state that is not there", r)
		}
	})
}

func key(s []uint64) []byte {
	var b []byte
	for _, w := range s {
		b = binary.NativeEndian.AppendUint64(b, w)
	}
	return b
}

// TestConcurrentInsert lets many writers insert overlapping states at once,
// with growth between rounds, and counts who was first: each state exactly
// one.
func TestConcurrentInsert(t *testing.T) {
	for _, writers := range []int{1, 2, 8} {
		const stride, rounds, perRound = 2, 30, 4000
		set := New(stride*wordBytes, writers)
		firsts := make([][]uint64, writers)
		var gate sync.RWMutex
		var wg sync.WaitGroup
		for i, w := range set.Writers() {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(uint64(i), 7))
				for range rounds {
					for n := 0; n < perRound; n += MaxBatch {
						var batch []uint64
						for range MaxBatch {
							v := r.Uint64N(rounds * perRound)
							batch = append(batch, v, v*v)
						}
						gate.RLock()
						fresh := w.Insert(batch, nil)
						gate.RUnlock()
						for _, f := range fresh {
							firsts[i] = append(firsts[i], batch[f*stride])
						}
						if set.Full() {
							gate.Lock()
							if set.Full() {
								set.Grow()
							}
							gate.Unlock()
						}
					}
				}
			})
		}
		wg.Wait()
		seen := map[uint64]bool{}
		for i, f := range firsts {
			if len(f) != set.Writers()[i].Len() {
				t.Errorf("writer %d: got %d new states, want %d", i, set.Writers()[i].Len(), len(f))
			}
			for seq, v := range f {
				if seen[v] {
					t.Fatalf("%d was new twice", v)
				}
				seen[v] = true
				r := set.Writers()[i].Ref(seq)
				if got := Words(set.State(r)); got[0] != v || got[1] != v*v {
					t.Fatalf("state %d of writer %d: got %v, want %d", seq, i, got, v)
				}
				if owner, n := set.Owner(r); owner != i || n != seq {
					t.Fatalf("owner of %d: got %d, %d, want %d, %d", r, owner, n, i, seq)
				}
			}
		}
		if set.Len() != len(seen) {
			t.Errorf("got %d states, want %d", set.Len(), len(seen))
		}
		set.Close()
	}
}

// TestSameHash gives different states one hash, so that only comparing whole
// states tells them apart.
func TestSameHash(t *testing.T) {
	set := New(wordBytes, 1)
	defer set.Close()
	w := set.Writers()[0]
	const h = 0x123456789abcdef0
	look := func(n uint64) (r Ref, slot int) {
		at, v := set.probe(set.home(h), tagOf(h))
		return set.find(at, v, h, &n)
	}
	for n := range uint64(100) {
		r, slot := look(n)
		if r != Missing {
			t.Fatalf("%d is at %d before it is inserted", n, r)
		}
		if r, isNew := w.add(slot, h, &n); !isNew || r != Ref(n) {
			t.Fatalf("%d: got place %d, new %v", n, r, isNew)
		}
	}
	for n := range uint64(100) {
		if r, _ := look(n); r != Ref(n) {
			t.Fatalf("%d: got place %d", n, r)
		}
	}
}

// TestAddAgain adds a state that another writer has added since the slot was
// looked up.
func TestAddAgain(t *testing.T) {
	set := New(wordBytes, 2)
	defer set.Close()
	one, other := set.Writers()[0], set.Writers()[1]
	n, h := uint64(7), Hash([]uint64{7})
	slot, _ := set.probe(set.home(h), tagOf(h))
	first, _ := one.add(slot, h, &n)
	if r, isNew := other.add(slot, h, &n); isNew || r != first || other.Len() != 0 {
		t.Errorf("got place %d, new %v, %d states, want place %d only", r, isNew, other.Len(), first)
	}
	m := uint64(8)
	if r, isNew := other.add(slot, h, &m); !isNew || r == first {
		t.Errorf("another state with its hash: got place %d, new %v", r, isNew)
	}
}

// TestGrowthInPlace fills a large table, lets it grow until it has done so in
// place several times, and finds all that was in it. Two tables have entries
// that are far from their homes, or wrap around.
func TestGrowthInPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of states")
	}
	for _, test := range []struct {
		name    string
		forge   func(i int) uint64 // the hash of an extra state
		inPlace bool
	}{
		{"as it comes", nil, true},
		{"a heap of one home", func(i int) uint64 { return 1<<63 + uint64(i)<<lostBits }, true},
		{"a heap at the end", func(i int) uint64 { return ^uint64(0) - uint64(i)<<lostBits }, true},
		{"farther than the tail", func(i int) uint64 { return 1<<62 + uint64(i%3)<<lostBits }, false},
		{"beyond the tail", func(i int) uint64 { return ^uint64(0) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := New(wordBytes, 2)
			defer set.Close()
			w := set.Writers()
			grown := map[bool]int{}
			var next uint64
			insert := func(states int) {
				for range states / MaxBatch {
					batch := make([]uint64, MaxBatch)
					for i := range batch {
						batch[i] = next
						next++
					}
					if set.Full() {
						grown[set.inPlace()]++
						set.Grow()
					}
					if got := len(w[next/MaxBatch%2].Insert(batch, nil)); got != MaxBatch {
						t.Fatalf("got %d new states, want %d", got, MaxBatch)
					}
				}
			}
			insert(1_000_000)
			extra := map[uint64]Ref{} // forged states by word
			forged := func(i int) (uint64, uint64) { return 1<<40 + uint64(i), test.forge(i) }
			if test.forge != nil {
				count := 100
				if !test.inPlace {
					count = 3 * tailSlots
				}
				for i := range count {
					n, h := forged(i)
					slot, v := set.probe(set.home(h), tagOf(h))
					r, slot := set.find(slot, v, h, &n)
					if r != Missing {
						t.Fatalf("%d is there already", i)
					}
					extra[n], _ = w[0].add(slot, h, &n)
				}
				if got := set.inPlace(); got != test.inPlace {
					t.Fatalf("may grow in place: got %v, want %v", got, test.inPlace)
				}
			}
			before := maps.Clone(grown)
			insert(1_500_000)
			if n := grown[true] - before[true]; n < 2 {
				t.Fatalf("grew %d times in place, want 2", n)
			}
			if n := grown[false] - before[false]; (n > 0) == test.inPlace {
				t.Fatalf("grew %d times by filling a new table", n)
			}
			for n := range next {
				if r := set.Ref(key([]uint64{n})); r == Missing || Words(set.State(r))[0] != n {
					t.Fatalf("%d is gone", n)
				}
			}
			for i := range len(extra) {
				n, h := forged(i)
				if !test.inPlace {
					h = Hash([]uint64{n}) // as it was filled in
				}
				slot, v := set.probe(set.home(h), tagOf(h))
				if r, _ := set.find(slot, v, h, &n); r != extra[n] {
					t.Fatalf("forged state %d: got place %d, want %d", i, r, extra[n])
				}
			}
			entries := 0
			for _, v := range set.slots {
				if v != 0 {
					entries++
				}
			}
			if entries != set.Len() {
				t.Errorf("got %d entries for %d states", entries, set.Len())
			}
		})
	}
}

func TestMemoryIsAccounted(t *testing.T) {
	set := New(2*wordBytes, 1)
	defer set.Close()
	w := set.Writers()[0]
	start := set.Bytes()
	for n := uint64(0); n < 1_500_000; n += MaxBatch {
		var batch []uint64
		for i := range uint64(MaxBatch) {
			batch = append(batch, n+i, n+i)
		}
		if set.Full() {
			before, more := set.Bytes(), set.GrowBytes()
			set.Grow()
			if set.Peak() < before+more {
				t.Errorf("got a peak of %d bytes, want at least %d while both tables live", set.Peak(), before+more)
			}
		}
		w.Insert(batch, nil)
	}
	arena := int64(set.Refs()) * 2 * wordBytes
	if got, want := set.Bytes(), arena+int64(len(set.slots))*wordBytes; got != want || got <= start {
		t.Errorf("got %d bytes, want %d", got, want)
	}
	if perState := float64(len(set.slots)*wordBytes) / float64(set.Len()); set.Len() > largeHomes && perState > 14.4 {
		t.Errorf("got %.1f bytes of slots for each state, want at most 14.4", perState)
	}
}

func TestHashAllIsHash(t *testing.T) {
	for stride := 1; stride < 7; stride++ {
		const n = 5
		states, got := make([]uint64, n*stride), make([]uint64, n)
		for i := range states {
			states[i] = uint64(i+1) * k0
		}
		hashAll(states, stride, got)
		for i, h := range got {
			if want := Hash(states[i*stride : (i+1)*stride]); h != want {
				t.Errorf("%d words: got %x, want %x", stride, h, want)
			}
		}
	}
}

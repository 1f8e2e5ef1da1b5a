package seen

import (
	"encoding/binary"
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
			if turn%5 == 4 {
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
		if r := set.Ref(make8(state(stride, 1<<60))); r != Missing {
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

func make8(s []uint64) []byte { return key(s) }

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

// TestSameTag inserts states whose hashes have the same tag and the same home
// in the table, by searching for them, so that only comparing whole states
// tells them apart.
func TestSameTag(t *testing.T) {
	set := New(wordBytes, 1)
	defer set.Close()
	w := set.Writers()[0]
	byPlace := map[uint64]uint64{}
	pairs := 0
	for v := uint64(0); v < 3_000_000 && pairs < 3; v++ {
		h := hash([]uint64{v})
		place := h<<refBits | uint64(set.home(h)) // all that a slot knows of a state
		if other, ok := byPlace[place]; ok {
			pairs++
			if got := w.Insert([]uint64{v, other, v, other}, nil); !slices.Equal(got, []int{0, 1}) {
				t.Fatalf("%d and %d: got %v, want both to be new once", v, other, got)
			}
			a, b := set.Ref(make8([]uint64{v})), set.Ref(make8([]uint64{other}))
			if a == b || a == Missing || b == Missing {
				t.Fatalf("%d and %d: got places %d and %d", v, other, a, b)
			}
		}
		byPlace[place] = v
	}
	if pairs == 0 {
		t.Error("found no two states with one tag and home")
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
	if perState := float64(len(set.slots)*wordBytes) / float64(set.Len()); set.Len() > smallSlots && perState > 16.01 {
		t.Errorf("got %.1f bytes of slots for each state, want at most 16", perState)
	}
}

func BenchmarkInsert(b *testing.B) {
	for _, states := range []int{1 << 16, 1 << 20} {
		b.Run(map[int]string{1 << 16: "64Ki", 1 << 20: "1Mi"}[states], func(b *testing.B) {
			set := New(3*wordBytes, 1)
			defer set.Close()
			w := set.Writers()[0]
			r := rand.New(rand.NewPCG(1, 1))
			batch := make([]uint64, 3*256)
			fresh := make([]int, 0, 256)
			for b.Loop() {
				for i := 0; i < len(batch); i += 3 {
					batch[i] = r.Uint64N(uint64(states))
				}
				if set.Full() {
					set.Grow()
				}
				fresh = w.Insert(batch, fresh[:0])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*256), "ns/state")
		})
	}
}

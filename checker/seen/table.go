package seen

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"mc/checker/memory"
)

const (
	refBits = 36
	refMask = 1<<refBits - 1
	tagBits = 64 - refBits
	// The table goes by the topmost bits of a hash: a slot keeps tagBits of
	// them, and its place says the topBits before these, so that growing needs
	// neither the states nor their hashes.
	topBits  = 10
	lostBits = 64 - topBits - tagBits

	// A table is grown before more than 3/4 of its slots are taken, by a factor
	// of 4/3: between 10.7 and 14.3 bytes for each state. A small one, where
	// bytes do not matter, grows faster.
	loadNum, loadDen = 3, 4
	growNum, growDen = 4, 3
	smallHomes       = 1 << 17 // 1 MiB
	largeHomes       = 1 << 20 // 8 MiB

	// tailSlots follow the homes and catch what is displaced beyond the last.
	tailSlots = 1 << topBits
)

// table is the slots: open addressing with linear probing. The home of a hash
// is the fraction of the homes that the hash is of 2^64 (Lemire, "Fast Random
// Integer Generation in an Interval", 2019), so that a table may have any size
// and the entries lie in the order of their hashes, but for small
// displacements. A larger table has them in the same order.
type table struct {
	slots []uint64 // homes, and the tail
	homes uint64
	reach atomic.Int64 // no entry is farther from its home
	bytes atomic.Int64 // of the slots
}

func (t *table) init(homes int) {
	t.slots, t.homes = memory.Take(homes+tailSlots), uint64(homes)
	t.bytes.Store(int64(len(t.slots)) * wordBytes)
	t.reach.Store(0)
}

func (t *table) close() {
	memory.Release(t.slots)
	t.slots = nil
}

// load is the number of entries that the table is meant to hold.
func (t *table) load() int64 { return int64(t.homes / loadDen * loadNum) }

// tagOf is the part of a hash that a slot keeps, in its place.
func tagOf(h uint64) uint64 { return h << topBits &^ refMask }

// home is where the probing for a hash begins.
func (t *table) home(h uint64) int {
	hi, _ := bits.Mul64(h>>lostBits<<lostBits, t.homes)
	return int(hi)
}

// probe goes on from a slot to the first one that is empty or has the tag.
func (t *table) probe(slot int, tag uint64) (at int, v uint64) {
	for {
		v = atomic.LoadUint64(&t.slots[slot])
		if v == 0 || v&^refMask == tag {
			return slot, v
		}
		slot = t.after(slot)
	}
}

func (t *table) after(slot int) int {
	if slot++; slot == len(t.slots) {
		return 0 // past the tail: it has never been seen, and is allowed for
	}
	return slot
}

// claim takes an empty slot for an entry, unless somebody else has it now.
func (t *table) claim(slot int, h uint64, r Ref) bool {
	if !atomic.CompareAndSwapUint64(&t.slots[slot], 0, tagOf(h)|uint64(r+1)) {
		return false
	}
	t.reached(slot - t.home(h))
	return true
}

// reached notes how far from its home an entry is.
func (t *table) reached(distance int) {
	if distance < 0 {
		distance = len(t.slots)
	}
	for {
		old := t.reach.Load()
		if int64(distance) <= old || t.reach.CompareAndSwap(old, int64(distance)) {
			return
		}
	}
}

// put claims the first empty slot from the home on. The entry must be new.
func (t *table) put(h uint64, v uint64) {
	home := t.home(h)
	for slot := home; ; slot = t.after(slot) {
		if atomic.LoadUint64(&t.slots[slot]) == 0 && atomic.CompareAndSwapUint64(&t.slots[slot], 0, v) {
			t.reached(slot - home)
			return
		}
	}
}

// grown is the number of homes after the next growth. A large table is a
// multiple of 2 MiB, so that its pages may be huge.
func (t *table) grown() int {
	const unit = 1 << 18
	switch n := int(t.homes); {
	case n < smallHomes:
		return n * 4
	case n < largeHomes:
		return n * 2
	}
	n := int(t.homes) + tailSlots
	return (n/growDen*growNum+unit-1)/unit*unit - tailSlots
}

// inPlace says whether the table can grow without the states: every entry's
// place must tell the top of its hash.
func (t *table) inPlace() bool {
	reach := t.reach.Load()
	return t.homes >= largeHomes-tailSlots && reach < tailSlots && uint64(reach)+1 < t.homes>>topBits
}

// hashAt is the hash, but for the lost bits, of the entry in a slot, if the
// table can grow in place. The top bits that put its home closest before the
// slot are its own.
func (t *table) hashAt(slot int, v uint64) uint64 {
	rest := v &^ refMask >> topBits
	top := min(uint64(slot)<<topBits/t.homes+1, 1<<topBits-1)
	for {
		if h := top<<(64-topBits) | rest; t.home(h) <= slot {
			return h
		}
		top--
	}
}

// enlarge grows a table that can grow in place: it takes more slots and moves
// the entries to the homes that they have among these, with as many goroutines
// as workers says.
//
// An entry at slot p moves to about p·homes/before. So the entries of the upper
// part move to slots above it, which are empty or final, all at once; then
// those of the part below into the room that these left; and what is left at
// the bottom, where displacement is larger than the move, by way of a copy.
func (t *table) enlarge(homes, workers int) {
	old := table{homes: t.homes}
	reach := int(t.reach.Load())
	t.slots = memory.Extend(t.slots, homes+tailSlots)
	t.bytes.Store(int64(len(t.slots)) * wordBytes)
	t.homes = uint64(homes)
	t.reach.Store(0)
	end := int(old.homes) + tailSlots
	for {
		// From here on an entry's new home is at or above end.
		begin := int(float64(end)*float64(old.homes)/float64(homes)) + reach + 2
		if end-begin < end/16 || end < 1<<16 {
			break
		}
		parallel(workers, begin, end, 1<<14, func(from, to int) { t.move(&old, from, to) })
		end = begin
	}
	bottom := slices.Clone(t.slots[:end])
	clear(t.slots[:end])
	for slot, v := range bottom {
		if v != 0 {
			t.put(old.hashAt(slot, v), v)
		}
	}
}

// move moves the entries of a range of slots up.
func (t *table) move(old *table, from, to int) {
	for slot := from; slot < to; slot++ {
		if v := t.slots[slot]; v != 0 {
			t.slots[slot] = 0
			t.put(old.hashAt(slot, v), v)
		}
	}
}

// parallel calls do for pieces of a range, on several goroutines.
func parallel(workers, begin, end, piece int, do func(from, to int)) {
	var next atomic.Int64
	next.Store(int64(begin))
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for from := int(next.Add(int64(piece))) - piece; from < end; from = int(next.Add(int64(piece))) - piece {
				do(from, min(from+piece, end))
			}
		})
	}
	wg.Wait()
}

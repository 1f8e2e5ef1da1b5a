package spec

import (
	"math/bits"
	"slices"
	"strings"
	"testing"
)

// message is one of Paxos commit, with the fields that its kind has.
type message struct {
	kind                byte
	ins, acc, bal, mbal int8
	val                 byte
}

const (
	phase1a = iota
	phase1b
	phase2a
	phase2b
	commit
	abort
)

// messages is a set of them: bit i stands for the i-th of a list that grows.
type messages [4]uint64

type paxosState struct {
	rm  [2]byte
	acc [2][4]struct { // aState
		mbal, bal int8
		val       byte
	}
	msgs messages
}

// TestTLC counts the published configuration of Paxos commit, and counts it as
// TLC does, which makes a state anew for every choice of ballots and majorities
// that lets Decide see a decision.
func TestTLC(t *testing.T) {
	if !*long {
		t.Skip("large: run with -long")
	}
	got, more := paxos(2, 3, 1)
	if want := (graph{1321761, 15242979, 28}); got != want || got.generated+more != 16959159 {
		t.Errorf("got %+v, %d as TLC counts, want %+v, 16959159", got, got.generated+more, want)
	}
}

func paxosTwin(set map[string]string) graph {
	g, _ := paxos(int8(number(set, "rms")), int8(number(set, "acceptors")), int8(number(set, "ballots")))
	return g
}

// paxos is the specification PaxosCommit of the paper's appendix. The second
// result is how often Decide is enabled once more for another reason.
func paxos(rms, acceptors, last int8) (g graph, more uint64) {
	var known []message
	index := map[message]int{}
	bit := func(m message) (word int, mask uint64) {
		i, ok := index[m]
		if !ok {
			i = len(known)
			index[m] = i
			known = append(known, m)
		}
		return i / 64, 1 << (i % 64)
	}
	sent := func(s *paxosState, m message) bool { word, mask := bit(m); return s.msgs[word]&mask != 0 }
	send := func(s *paxosState, m message) { word, mask := bit(m); s.msgs[word] |= mask }
	each := func(s *paxosState, kind byte, f func(m message)) {
		for i, m := range known {
			if m.kind == kind && s.msgs[i/64]>>(i%64)&1 != 0 {
				f(m)
			}
		}
	}
	var majorities [][]int8
	for set := range 1 << acceptors {
		if int8(bits.OnesCount(uint(set))) == acceptors/2+1 {
			var members []int8
			for a := range acceptors {
				if set>>a&1 != 0 {
					members = append(members, a)
				}
			}
			majorities = append(majorities, members)
		}
	}
	// decided counts the ballots and majorities that show it.
	decided := func(s *paxosState, r int8, v byte) (ways int) {
		for b := range last + 1 {
			for _, ms := range majorities {
				if !slices.ContainsFunc(ms, func(a int8) bool {
					return !sent(s, message{kind: phase2b, ins: r, acc: a, bal: b, val: v})
				}) {
					ways++
				}
			}
		}
		return ways
	}

	next := func(s paxosState, to func(paxosState)) {
		commits, aborts := 1, 0
		for r := range rms {
			commits *= decided(&s, r, 'p')
			aborts += decided(&s, r, 'a')
			if s.rm[r] == 'w' {
				for _, v := range []byte{'p', 'a'} {
					t := s
					t.rm[r] = v
					send(&t, message{kind: phase2a, ins: r, val: v})
					to(t)
				}
			}
			for kind, phase := range map[byte]byte{commit: 'c', abort: 'a'} {
				if sent(&s, message{kind: kind}) {
					t := s
					t.rm[r] = phase
					to(t)
				}
			}
			for b := int8(1); b <= last; b++ {
				t := s
				send(&t, message{kind: phase1a, ins: r, bal: b})
				to(t)
				proposed := false
				each(&s, phase2a, func(m message) { proposed = proposed || m.ins == r && m.bal == b })
				for _, ms := range majorities {
					voters, maxbal, val := 0, int8(-1), byte('a')
					each(&s, phase1b, func(m message) {
						if m.ins == r && m.mbal == b && slices.Contains(ms, m.acc) {
							voters++
							if m.bal > maxbal {
								maxbal, val = m.bal, m.val
							}
						}
					})
					if !proposed && voters == len(ms) {
						t := s
						send(&t, message{kind: phase2a, ins: r, bal: b, val: val})
						to(t)
					}
				}
			}
		}
		for kind, ways := range map[byte]int{commit: commits, abort: aborts} {
			if ways > 0 {
				t := s
				send(&t, message{kind: kind})
				to(t)
				more += uint64(ways - 1)
			}
		}
		for a := range acceptors {
			each(&s, phase1a, func(m message) {
				if at := s.acc[m.ins][a]; at.mbal < m.bal {
					t := s
					t.acc[m.ins][a].mbal = m.bal
					send(&t, message{kind: phase1b, ins: m.ins, acc: a, mbal: m.bal, bal: at.bal, val: at.val})
					to(t)
				}
			})
			each(&s, phase2a, func(m message) {
				if s.acc[m.ins][a].mbal <= m.bal {
					t := s
					at := &t.acc[m.ins][a]
					at.mbal, at.bal, at.val = m.bal, m.bal, m.val
					send(&t, message{kind: phase2b, ins: m.ins, acc: a, bal: m.bal, val: m.val})
					to(t)
				}
			})
		}
	}

	var init paxosState
	for r := range rms {
		init.rm[r] = 'w'
		for a := range acceptors {
			init.acc[r][a].bal, init.acc[r][a].val = -1, 'n'
		}
	}
	return measure([]paxosState{init}, next), more
}

// petersonTwin is the lock as a program with a level, a victim and a line for
// each process, numbered from 1.
func petersonTwin(set map[string]string) graph {
	type state struct {
		line   [7]string
		target [7]int // the process's own variable: the level it is after
		level  [7]int
		last   [7]int
	}
	n := number(set, "procs")
	next := func(s state, to func(state)) {
		for i := 1; i <= n; i++ {
			t := s
			switch s.line[i] {
			case "":
				t.line[i], t.target[i] = "raise", 1
			case "raise":
				t.level[i], t.line[i] = s.target[i], "name"
			case "name":
				t.last[s.target[i]], t.line[i] = i, "wait"
			case "wait":
				others := false
				for k := 1; k <= n; k++ {
					others = others || k != i && s.level[k] >= s.target[i]
				}
				if others && s.last[s.target[i]] == i {
					continue
				}
				if t.line[i] = "raise"; s.target[i] == n-1 {
					t.line[i] = "critical"
				} else {
					t.target[i]++
				}
			case "critical":
				t.level[i], t.target[i], t.line[i] = 0, 0, ""
			}
			to(t)
		}
	}
	return measure([]state{{}}, next)
}

// electionTwin keeps each channel as text, a letter for each message: capital
// ones are announcements.
func electionTwin(set map[string]string) graph {
	type state struct {
		number, role [7]byte
		leader       [7]byte
		channel      [7]string
	}
	n := number(set, "procs")
	var init []state
	var orders func(prefix, rest string)
	orders = func(prefix, rest string) {
		if rest == "" {
			s := state{}
			copy(s.number[:], prefix)
			init = append(init, s)
		}
		for i := range rest {
			orders(prefix+rest[i:i+1], rest[:i]+rest[i+1:])
		}
	}
	orders("a", "bcdefg"[:n-1])

	next := func(s state, to func(state)) {
		for p := range n {
			from := (p + n - 1) % n
			me := s.number[p]
			if s.role[p] == 0 {
				t := s
				t.role[p] = 'c'
				t.channel[p] += string(me)
				to(t)
			}
			if s.channel[from] == "" {
				continue
			}
			m := s.channel[from][:1]
			t := s
			t.channel[from] = s.channel[from][1:]
			switch who := strings.ToLower(m)[0]; {
			case m != strings.ToLower(m) && who == me: // it came home
			case m != strings.ToLower(m):
				t.leader[p] = who
				t.channel[p] += m
			case who > me:
				t.role[p] = 'r'
				t.channel[p] += m
			case who == me:
				t.role[p], t.leader[p] = 'l', me
				t.channel[p] += strings.ToUpper(m)
			case s.role[p] == 0: // it starts first
				continue
			}
			to(t)
		}
	}
	return measure(init, next)
}

// Package election is the election of a leader on a ring after Chang and
// Roberts, "An improved algorithm for decentralized extrema-finding in
// circular configurations of processes" (1979). Each process that starts sends
// its number around the ring in one direction. A process passes on what is
// larger than its own number and drops what is smaller, so that only the
// largest comes home; its process leads, and tells the others.
//
// The numbers lie on the ring in any order: each order is an initial state, or
// rather one of those that are rotations of each other, the one where process
// 0 has the number 1. Processes start when they like, but only before they
// have passed something on. A channel is a queue, as long as it need be.
package election

import (
	"fmt"
	"math/bits"
	"slices"

	"mc/model"
)

const most = 7 // processes

// Proc names a process by its place on the ring; it sends to the next one.
type Proc uint8

// Number is what processes are compared by; 0 is nobody's.
type Number uint8

// Role is what a process takes itself for.
type Role uint8

// The roles. A Relay has passed a larger number on.
const (
	Asleep Role = iota
	Candidate
	Relay
	Leader
)

func (r Role) String() string {
	return [...]string{"asleep", "candidate", "relay", "leader"}[r]
}

// Message is a number as its candidate sends it, or announced as the leader's.
type Message uint8

const announced Message = 1 << 7

// number is whose message it is.
func (m Message) number() Number { return Number(m &^ announced) }

func (m Message) String() string {
	if m&announced != 0 {
		return fmt.Sprintf("leader %d", m.number())
	}
	return fmt.Sprint(uint8(m))
}

// Channel is the messages under way between two neighbours.
type Channel = model.Seq[Message, [most]Message]

// State is the processes, and the channel from each to the next.
type State struct {
	Number  [most]Number  `index:"proc"`
	Role    [most]Role    `index:"proc"`
	Leader  [most]Number  `index:"proc"` // whom a process knows to lead
	Channel [most]Channel `index:"proc"`
}

// Entry is the spec.
var Entry = model.Define("election", "election of a leader on a ring by Chang and Roberts", build)

func build(c *model.Config) *model.Spec[State] {
	n := c.Int("procs", 4, 2, most, "processes on the ring")
	procs := model.Below[Proc]("proc", n)

	lanes := make([]string, n)
	for p := range lanes {
		lanes[p] = fmt.Sprint("process ", p)
	}

	// head is the message that a process takes next, or 0.
	head := func(s *State, p Proc) Message {
		if in := &s.Channel[(int(p)+n-1)%n]; !in.Empty() {
			return in.First()
		}
		return 0
	}
	take := func(s *State, p Proc) Message { return s.Channel[(int(p)+n-1)%n].Pop() }
	candidate := func(m Message) bool { return m != 0 && m&announced == 0 }
	leaders := func(s *State) (count int) {
		for _, r := range s.Role[:n] {
			if r == Leader {
				count++
			}
		}
		return count
	}
	told := func(s *State) bool { return !slices.Contains(s.Leader[:n], 0) }
	quiet := func(s *State) bool {
		return !slices.ContainsFunc(s.Channel[:n], func(c Channel) bool { return !c.Empty() })
	}

	return &model.Spec[State]{
		Init: rings(n),
		Actions: []model.Action[State]{
			model.Act1("Start", procs,
				func(s *State, p Proc) bool { return s.Role[p] == Asleep },
				func(s *State, p Proc) {
					s.Role[p] = Candidate
					s.Channel[p].Push(Message(s.Number[p]))
				}).FairEach(model.Weak).
				Doc("sends its own number"),
			model.Act1("PassOn", procs,
				func(s *State, p Proc) bool {
					m := head(s, p)
					return candidate(m) && m.number() > s.Number[p]
				},
				func(s *State, p Proc) {
					s.Role[p] = Relay
					s.Channel[p].Push(take(s, p))
				}).FairEach(model.Weak).
				Doc("a larger number goes on, and the process never leads"),
			model.Act1("Drop", procs,
				func(s *State, p Proc) bool {
					m := head(s, p)
					return candidate(m) && m.number() < s.Number[p] && s.Role[p] != Asleep
				},
				func(s *State, p Proc) { take(s, p) }).FairEach(model.Weak).
				Doc("a smaller number goes no further; who is asleep starts first"),
			model.Act1("Win", procs,
				func(s *State, p Proc) bool {
					m := head(s, p)
					return candidate(m) && m.number() == s.Number[p]
				},
				func(s *State, p Proc) {
					s.Role[p], s.Leader[p] = Leader, s.Number[p]
					s.Channel[p].Push(take(s, p) | announced)
				}).FairEach(model.Weak).
				Doc("its own number has come home"),
			model.Act1("Learn", procs,
				func(s *State, p Proc) bool { return head(s, p)&announced != 0 },
				func(s *State, p Proc) {
					if m := take(s, p); m.number() != s.Number[p] {
						s.Leader[p] = m.number()
						s.Channel[p].Push(m)
					}
				}).FairEach(model.Weak).
				Doc("the leader's name goes round once"),
		},
		Properties: []model.Property[State]{
			model.Always("OneLeader", func(s *State) bool { return leaders(s) <= 1 }).
				Doc("no two processes lead"),
			model.Always("LargestLeads", func(s *State) bool {
				return !slices.ContainsFunc(s.Leader[:n], func(who Number) bool { return who != 0 && who != Number(n) })
			}).Doc("whoever is known to lead has the largest number"),
			model.DeadlockFree[State]("NoDeadlock").
				Doc("it ends only when everybody knows and no message is under way"),
			model.Reachable("AllStart", func(s *State) bool {
				return !slices.Contains(s.Role[:n], Asleep) && !slices.Contains(s.Role[:n], Relay)
			}).Doc("every process can be a candidate"),
			model.Reachable("AllKnow", func(s *State) bool { return !slices.Contains(s.Leader[:n], 0) }).
				Doc("every process can get to know the leader"),
		},
		Questions: []model.Property[State]{
			model.Eventually("Elected", func(s *State) bool { return leaders(s) == 1 }).
				Doc("some process leads"),
			model.EventuallyAlways("Settled", func(s *State) bool { return told(s) && quiet(s) }).
				Doc("everybody learns of it, and the ring is quiet"),
		},
		Terminal: func(s *State) bool { return told(s) && quiet(s) },
		Lanes:    lanes,
		Draw: func(d *model.Drawing, s, t *State) {
			p := Proc(d.Arg(0))
			next := (int(p) + 1) % n
			// A message passes a channel once, so its name and place tell it.
			id := func(m Message, to int) string { return fmt.Sprintf("%v to %d", m, to) }
			d.On(lanes[p])
			if d.Action != "Start" {
				d.Take(id(head(s, p), int(p)))
			}
			if out := &t.Channel[p]; out.Len() > s.Channel[p].Len() {
				d.Send(id(out.Last(), next), lanes[next], out.Last().String())
			}
		},
	}
}

// rings are the initial states: the orders of the numbers that begin with 1.
func rings(n int) (all []State) {
	var place func(s State, used uint)
	place = func(s State, used uint) {
		p := bits.OnesCount(used)
		if p == n {
			all = append(all, s)
		}
		for v := range n {
			if used>>v&1 == 0 {
				s.Number[p] = Number(v + 1)
				place(s, used|1<<v)
			}
		}
	}
	first := State{}
	first.Number[0] = 1
	place(first, 1)
	return all
}

// Package peterson is the filter lock of Peterson, "Myths About the Mutual
// Exclusion Problem" (1981): n processes pass n-1 levels on their way into the
// critical section, and each level holds back the process that came to it
// last, as long as others are on the level or beyond.
//
// A step reads or writes one shared variable, but for the wait, which looks at
// the levels of all others at once. So 5 processes have 409,308 distinct
// states.
package peterson

import (
	"fmt"
	"slices"

	"mc/model"
)

const most = 6 // processes

// Proc names a process.
type Proc uint8

// Line is the line that a process is at: noncritical, then for each level
// l = 1, 2, …, n-1 the three lines 3l-2 before it raises its level to l, 3l-1
// before it writes its name there, and 3l where it waits; then critical.
type Line uint8

// The lines outside the levels.
const (
	Noncritical Line = 0
	Critical    Line = 3*(most-1) + 1
)

// level is the shared variable of its name: the level that a process at the
// line has raised itself to. In the critical section it is the largest of all,
// however many levels there are, which is as good as n-1.
func (l Line) level() int { return int(l+1) / 3 }

func (l Line) String() string {
	switch {
	case l == Noncritical:
		return "noncritical"
	case l == Critical:
		return "critical"
	}
	return [...]string{"waits on", "goes to", "names itself on"}[l%3] + fmt.Sprintf(" level %d", (l+2)/3)
}

// Name is a process as written on a level: its number plus one, or 0.
type Name uint8

func (n Name) String() string {
	if n == 0 {
		return "nobody"
	}
	return fmt.Sprint(uint8(n - 1))
}

// State is where each process is, and who came last to each level.
type State struct {
	At   [most]Line     `index:"proc"`
	Last [most - 1]Name // that of level l at index l-1
}

// Entry is the spec.
var Entry = model.Define("peterson", "Peterson's lock for n processes", build)

func build(c *model.Config) *model.Spec[State] {
	n := c.Int("procs", 3, 2, most, "processes that share the lock")
	procs := model.Below[Proc]("proc", n)
	before := func(s *State, p Proc, line Line) bool {
		at := s.At[p]
		return at%3 == line && at != Noncritical && at != Critical
	}
	critical := func(s *State) (count int) {
		for _, at := range s.At[:n] {
			if at == Critical {
				count++
			}
		}
		return count
	}

	return &model.Spec[State]{
		Init: []State{{}},
		Actions: []model.Action[State]{
			model.Act1("Request", procs,
				func(s *State, p Proc) bool { return s.At[p] == Noncritical },
				func(s *State, p Proc) { s.At[p]++ }),
			model.Act1("Rise", procs,
				func(s *State, p Proc) bool { return before(s, p, 1) },
				func(s *State, p Proc) { s.At[p]++ }).FairEach(model.Weak).
				Doc("level[p] := l"),
			model.Act1("Yield", procs,
				func(s *State, p Proc) bool { return before(s, p, 2) },
				func(s *State, p Proc) {
					s.Last[s.At[p].level()-1] = Name(p + 1)
					s.At[p]++
				}).FairEach(model.Weak).
				Doc("last[l] := p"),
			model.Act1("Pass", procs,
				func(s *State, p Proc) bool {
					if !before(s, p, 0) {
						return false
					}
					level := s.At[p].level()
					if s.Last[level-1] != Name(p+1) {
						return true
					}
					for q, at := range s.At[:n] {
						if at.level() >= level && Proc(q) != p {
							return false
						}
					}
					return true
				},
				func(s *State, p Proc) {
					if s.At[p].level() == n-1 {
						s.At[p] = Critical
					} else {
						s.At[p]++
					}
				}).FairEach(model.Weak).
				Doc("waits while last[l] = p and some other process has level >= l"),
			model.Act1("Leave", procs,
				func(s *State, p Proc) bool { return s.At[p] == Critical },
				func(s *State, p Proc) { s.At[p] = Noncritical }).FairEach(model.Weak).
				Doc("level[p] := 0"),
		},
		Properties: []model.Property[State]{
			model.Always("MutualExclusion", func(s *State) bool { return critical(s) <= 1 }).
				Doc("no two processes are in the critical section"),
			model.DeadlockFree[State]("NoDeadlock").
				Doc("some process can always go on"),
			model.Reachable("Contended", func(s *State) bool {
				return critical(s) == 1 && !slices.Contains(s.At[:n], Noncritical)
			}).Doc("one is in the critical section while all others want it"),
		},
		Questions: []model.Property[State]{
			model.Always("EachLevelHoldsOneBack", func(s *State) bool {
				for level := 1; level < n; level++ {
					past := 0
					for _, at := range s.At[:n] {
						if at > Line(3*level) {
							past++
						}
					}
					if past > n-level {
						return false
					}
				}
				return true
			}).Doc("at most n-l processes are past level l: why the lock excludes"),
			model.LeadsTo("NoStarvation",
				func(s *State) bool { return s.At[0] != Noncritical },
				func(s *State) bool { return s.At[0] == Critical }).
				Doc("who asks for the lock gets it"),
		},
		Symmetry: []model.Symmetry[State]{
			model.Interchangeable("proc", n, func(s *State, r *model.Renaming[Proc]) {
				model.Move(r, s.At[:])
				for i, name := range s.Last {
					if name != 0 {
						s.Last[i] = Name(r.To(Proc(name-1)) + 1)
					}
				}
			}).By(func(s *State, p int) uint64 { return uint64(s.At[p]) }),
		},
	}
}

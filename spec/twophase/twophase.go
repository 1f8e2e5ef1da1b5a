// Package twophase is two-phase commit after Gray and Lamport, "Consensus on
// Transaction Commit" (2006): a transaction manager and its resource managers
// agree on whether to commit. Messages are never lost or taken back, so they
// are a set that only grows.
//
// It is a classic with published counts: 3, 5, 6, 7 and 8 resource managers
// have 288, 8,832, 50,816, 296,448 and 1,745,408 distinct states.
package twophase

import (
	"slices"

	"mc/model"
)

// RM names a resource manager.
type RM uint8

// Phase is how far a resource manager has come.
type Phase uint8

// The phases of a resource manager.
const (
	Working Phase = iota
	Prepared
	Committed
	Aborted
)

func (p Phase) String() string {
	return [...]string{"working", "prepared", "committed", "aborted"}[p]
}

const most = 8 // resource managers

// State is the transaction manager, the resource managers and the messages.
type State struct {
	Phase     [most]Phase          `index:"rm"`
	Heard     model.Set[RM, uint8] // of whose "prepared" the manager knows
	Decision  Phase                // the manager's: working, committed or aborted
	Prepared  model.Set[RM, uint8] // who has sent "prepared"
	MsgCommit bool                 // "commit" was sent to all
	MsgAbort  bool                 // "abort" was sent to all
}

// Entry is the spec.
var Entry = model.Define("two-phase", "two-phase commit of Gray and Lamport", build)

func build(c *model.Config) *model.Spec[State] {
	n := c.Int("rms", 3, 1, most, "resource managers")
	rms := model.Below[RM]("rm", n)
	all := model.Set[RM, uint8]{}
	for _, r := range rms.Values {
		all.Add(r)
	}
	deciding := func(s *State) bool { return s.Decision == Working }
	working := func(s *State, r RM) bool { return s.Phase[r] == Working }
	some := func(s *State, p Phase) bool { return slices.Contains(s.Phase[:n], p) }
	ended := func(s *State) bool { return !some(s, Working) && !some(s, Prepared) }

	return &model.Spec[State]{
		Init: []State{{}},
		Actions: []model.Action[State]{
			model.Act1("TMRcvPrepared", rms,
				func(s *State, r RM) bool { return deciding(s) && s.Prepared.Has(r) },
				func(s *State, r RM) { s.Heard.Add(r) }),
			model.Act("TMCommit",
				func(s *State) bool { return deciding(s) && s.Heard == all },
				func(s *State) { s.Decision, s.MsgCommit = Committed, true }),
			model.Act("TMAbort", deciding,
				func(s *State) { s.Decision, s.MsgAbort = Aborted, true }),
			model.Act1("RMPrepare", rms, working,
				func(s *State, r RM) { s.Phase[r] = Prepared; s.Prepared.Add(r) }),
			model.Act1("RMChooseToAbort", rms, working,
				func(s *State, r RM) { s.Phase[r] = Aborted }),
			model.Act1("RMRcvCommitMsg", rms,
				func(s *State, _ RM) bool { return s.MsgCommit },
				func(s *State, r RM) { s.Phase[r] = Committed }).FairEach(model.Weak),
			model.Act1("RMRcvAbortMsg", rms,
				func(s *State, _ RM) bool { return s.MsgAbort },
				func(s *State, r RM) { s.Phase[r] = Aborted }).FairEach(model.Weak),
		},
		Properties: []model.Property[State]{
			model.Always("TCConsistent", func(s *State) bool {
				return !(some(s, Committed) && some(s, Aborted))
			}).Doc("no resource manager commits while another aborts"),
			model.DeadlockFree[State]("NoDeadlock").
				Doc("only a decision that reached everybody ends a behaviour"),
			model.Reachable("AllCommit", func(s *State) bool {
				return ended(s) && !some(s, Aborted)
			}).Doc("the transaction can commit"),
		},
		Questions: []model.Property[State]{
			model.LeadsTo("DecisionReachesAll", func(s *State) bool { return s.Decision != Working }, ended).
				Doc("once the manager decides, every resource manager commits or aborts"),
		},
		Symmetry: []model.Symmetry[State]{
			model.Interchangeable("rm", n, func(s *State, r *model.Renaming[RM]) {
				model.Move(r, s.Phase[:])
				s.Heard, s.Prepared = s.Heard.Renamed(r), s.Prepared.Renamed(r)
			}).By(func(s *State, rm int) uint64 {
				// All that tells one resource manager from another.
				key := uint64(s.Phase[rm]) << 2
				if s.Heard.Has(RM(rm)) {
					key |= 2
				}
				if s.Prepared.Has(RM(rm)) {
					key |= 1
				}
				return key
			}),
		},
		Terminal: ended,
	}
}

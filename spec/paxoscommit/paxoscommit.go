// Package paxoscommit is Paxos commit after Gray and Lamport, "Consensus on
// Transaction Commit" (2006): each resource manager's decision is agreed on by
// an instance of Paxos, so that no single process can hold the transaction up.
// Messages are never lost or taken back.
//
// The paper's specification keeps a set of messages and what each acceptor
// remembers. The first determines the second, and itself says some things
// twice, so that sets of acceptors are enough here: an acceptor's ballot is
// the largest that it has promised or voted in; the vote that it reports with
// a promise is its last below that ballot, since it casts none there later;
// and the value that it votes for is the only one proposed in that ballot. The
// state graph is the same, as a test confirms with a literal transcription.
//
// Its count is published: 2 resource managers, 3 acceptors and one ballot
// beyond 0 have 1,321,761 distinct states on 28 levels.
package paxoscommit

import (
	"slices"

	"mc/model"
)

// RM names a resource manager, and the instance of Paxos about it.
type RM uint8

// Acceptor names an acceptor, which takes part in every instance.
type Acceptor uint8

// Ballot numbers the attempts of an instance to agree. Ballot 0 is the
// resource manager's own.
type Ballot uint8

// Acceptors is a set of them.
type Acceptors = model.Set[Acceptor, uint8]

// Phase is how far a resource manager has come.
type Phase uint8

// The phases of a resource manager. Prepared and Aborted are also the values
// that an instance of Paxos may agree on.
const (
	Working Phase = iota
	Prepared
	Committed
	Aborted
)

func (p Phase) String() string {
	return [...]string{"working", "prepared", "committed", "aborted"}[p]
}

const (
	mostRMs       = 2
	mostAcceptors = 5
	mostBallots   = 3 // with ballot 0
)

// Instance is what was said in one instance of Paxos.
type Instance struct {
	Begun    model.Set[Ballot, uint8] // whose leader has asked for promises: phase 1a
	Proposed [mostBallots]Phase       `index:"ballot"` // phase 2a; working if nothing is proposed
	Promised [mostBallots]Acceptors   `index:"ballot"` // phase 1b
	Voted    [mostBallots]Acceptors   `index:"ballot"` // phase 2b
}

// State is the resource managers and all that was said.
type State struct {
	Phase    [mostRMs]Phase    `index:"rm"`
	Instance [mostRMs]Instance `index:"rm"`
	Commit   bool              // "commit" was sent to all
	Abort    bool              // "abort" was sent to all
}

// Entry is the spec.
var Entry = model.Define("paxos-commit", "Paxos commit of Gray and Lamport", build)

func build(c *model.Config) *model.Spec[State] {
	n := c.Int("rms", 1, 1, mostRMs, "resource managers")
	acceptors := c.Int("acceptors", 3, 1, mostAcceptors, "acceptors; more than half are a quorum")
	beyond := c.Int("ballots", 1, 0, mostBallots-1, "ballots beyond 0")
	majority := acceptors/2 + 1

	rm := model.Below[RM]("rm", n)
	ballot := model.Below[Ballot]("ballot", beyond+1)
	later := model.Between[Ballot]("ballot", 1, beyond)
	acceptor := model.Below[Acceptor]("acceptor", acceptors)
	quorum := model.Subsets[Acceptor, uint8]("quorum", acceptors)
	quorum.Values = slices.DeleteFunc(quorum.Values, func(q Acceptors) bool { return q.Len() != majority })

	decided := func(i *Instance, v Phase) bool {
		for b := range ballot.Values {
			if i.Proposed[b] == v && i.Voted[b].Len() >= majority {
				return true
			}
		}
		return false
	}
	// free says that an acceptor's ballot is below b.
	free := func(i *Instance, a Acceptor, b Ballot) bool {
		for ; int(b) <= beyond; b++ {
			if i.Promised[b].Has(a) || i.Voted[b].Has(a) {
				return false
			}
		}
		return true
	}
	// latest is what a quorum's latest vote before ballot b was for: to abort,
	// if none of it voted.
	latest := func(i *Instance, b Ballot, q Acceptors) Phase {
		for k := int(b) - 1; k >= 0; k-- {
			if !q.Intersect(i.Voted[k]).Empty() {
				return i.Proposed[k]
			}
		}
		return Aborted
	}
	working := func(s *State, r RM) bool { return s.Phase[r] == Working }
	some := func(is func(r RM) bool) bool { return slices.ContainsFunc(rm.Values, is) }
	ended := func(s *State) bool {
		return !some(func(r RM) bool { return s.Phase[r] == Working || s.Phase[r] == Prepared })
	}

	return &model.Spec[State]{
		Init: []State{{}},
		Actions: []model.Action[State]{
			model.Act1("RMPrepare", rm, working,
				func(s *State, r RM) { s.Phase[r], s.Instance[r].Proposed[0] = Prepared, Prepared }),
			model.Act1("RMChooseToAbort", rm, working,
				func(s *State, r RM) { s.Phase[r], s.Instance[r].Proposed[0] = Aborted, Aborted }),
			model.Act1("RMRcvCommitMsg", rm,
				func(s *State, _ RM) bool { return s.Commit },
				func(s *State, r RM) { s.Phase[r] = Committed }).FairEach(model.Weak),
			model.Act1("RMRcvAbortMsg", rm,
				func(s *State, _ RM) bool { return s.Abort },
				func(s *State, r RM) { s.Phase[r] = Aborted }).FairEach(model.Weak),
			model.Act2("Phase1a", rm, later,
				func(*State, RM, Ballot) bool { return true },
				func(s *State, r RM, b Ballot) { s.Instance[r].Begun.Add(b) }).FairEach(model.Weak).
				When(beyond > 0).Doc("the ballot's leader asks the acceptors for promises"),
			model.Act3("Phase2a", rm, later, quorum,
				func(s *State, r RM, b Ballot, q Acceptors) bool {
					i := &s.Instance[r]
					return i.Proposed[b] == Working && i.Promised[b].Contains(q)
				},
				func(s *State, r RM, b Ballot, q Acceptors) {
					i := &s.Instance[r]
					i.Proposed[b] = latest(i, b, q)
				}).FairEach(model.Weak).
				When(beyond > 0).Doc("the ballot's leader has a quorum of promises and proposes"),
			model.Act("DecideCommit",
				func(s *State) bool {
					return !some(func(r RM) bool { return !decided(&s.Instance[r], Prepared) })
				},
				func(s *State) { s.Commit = true }).Fair(model.Weak),
			model.Act("DecideAbort",
				func(s *State) bool {
					return some(func(r RM) bool { return decided(&s.Instance[r], Aborted) })
				},
				func(s *State) { s.Abort = true }).Fair(model.Weak),
			model.Act3("Phase1b", acceptor, rm, later,
				func(s *State, a Acceptor, r RM, b Ballot) bool {
					i := &s.Instance[r]
					return i.Begun.Has(b) && free(i, a, b)
				},
				func(s *State, a Acceptor, r RM, b Ballot) { s.Instance[r].Promised[b].Add(a) }).FairEach(model.Weak).
				When(beyond > 0).Doc("the acceptor promises to vote in no earlier ballot"),
			model.Act3("Phase2b", acceptor, rm, ballot,
				func(s *State, a Acceptor, r RM, b Ballot) bool {
					i := &s.Instance[r]
					return i.Proposed[b] != Working && free(i, a, b+1)
				},
				func(s *State, a Acceptor, r RM, b Ballot) { s.Instance[r].Voted[b].Add(a) }).FairEach(model.Weak).
				Doc("the acceptor votes"),
		},
		Properties: []model.Property[State]{
			model.Always("TCConsistent", func(s *State) bool {
				return !(some(func(r RM) bool { return s.Phase[r] == Committed }) &&
					some(func(r RM) bool { return s.Phase[r] == Aborted }))
			}).Doc("no resource manager commits while another aborts"),
			model.Always("OneValue", func(s *State) bool {
				return !some(func(r RM) bool {
					return decided(&s.Instance[r], Prepared) && decided(&s.Instance[r], Aborted)
				})
			}).Doc("no instance of Paxos agrees on two values"),
			model.DeadlockFree[State]("NoDeadlock").
				Doc("only a decision that reached everybody ends a behaviour"),
			model.Reachable("AllCommit", func(s *State) bool {
				return !some(func(r RM) bool { return s.Phase[r] != Committed })
			}).Doc("the transaction can commit"),
		},
		Questions: []model.Property[State]{
			model.Eventually("NonBlocking", func(s *State) bool { return s.Commit || s.Abort }).
				Doc("there is a decision even if resource managers stop; it takes a ballot beyond 0"),
			model.LeadsTo("DecisionReachesAll", func(s *State) bool { return s.Commit || s.Abort }, ended).
				Doc("once there is a decision, every resource manager commits or aborts"),
		},
		Symmetry: []model.Symmetry[State]{
			model.Interchangeable("rm", n, func(s *State, r *model.Renaming[RM]) {
				model.Move(r, s.Phase[:])
				model.Move(r, s.Instance[:])
			}),
			model.Interchangeable("acceptor", acceptors, func(s *State, r *model.Renaming[Acceptor]) {
				for i := range s.Instance {
					for b := range mostBallots {
						p, v := &s.Instance[i].Promised[b], &s.Instance[i].Voted[b]
						*p, *v = p.Renamed(r), v.Renamed(r)
					}
				}
			}),
		},
		Terminal: ended,
	}
}

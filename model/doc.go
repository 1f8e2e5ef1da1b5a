// Package model is how a state machine is written for mc.
//
// # A spec
//
// A spec is a state, a table of guarded actions, and claims. The state is a
// struct of sized integers, booleans, and arrays and structs of these, so that
// it is bytes: two states are equal exactly if their bytes are. Set, Seq, Map
// and Perm are such structs that behave like the values of their names.
//
//	type State struct {
//		Waiting model.Set[Client, uint8]
//		Granted bool
//	}
//
// An action has a name, up to three parameters that range over finite lists of
// values, a guard that says where it may be taken, and an effect that turns a
// copy of the state into the successor. Guards only read. Effects only write,
// always succeed, and are functions of the state and the parameters: whatever
// can turn out in two ways is a parameter, so that a trace names it.
//
//	model.Act1("Grant", clients,
//		func(s *State, c Client) bool { return !s.Granted && s.Waiting.Has(c) },
//		func(s *State, c Client) { s.Waiting.Remove(c); s.Granted = true })
//
// A guard may also be All of several named conditions, each made by If. A step
// of the machine is one instance of one action that leads from a state to a
// different one; besides, a behaviour may always stutter.
//
// Properties are Always (an invariant), EveryStep, Reachable (a witness),
// DeadlockFree, and the temporal LeadsTo, Eventually, EventuallyAlways and
// AlwaysEventually. The temporal ones speak of fair behaviours: Action.Fair,
// Action.FairEach and Spec.Fairness say which actions are not neglected for
// ever, in the sense of TLA+'s WF and SF. Spec.Properties is what the spec
// guarantees; Spec.Questions are judged only when they are asked.
//
// # A configuration
//
// Define names a spec and takes a function that builds it from a Config.
// Reading a setting there declares it: numbers with a range, choices, switches,
// and fixes, which are repairs of the system that can be switched on. The spec
// is built anew for every configuration, so settings may shape everything but
// the state type. About adds scenarios, which are named settings, and claims,
// which the checker confirms or refutes.
//
// # An engine
//
// Entry.Machine gives the spec with its settings fixed and its state type
// erased. An engine makes one Worker for each goroutine and gets successors as
// bytes in a Batch, without allocation. The functions of a spec run on copies:
// one that panics, or writes what it should only read, or outgrows a Seq, comes
// back as a Fault and not as a crash.
package model

package main

import "fmt"

// benchModel is a spec of mc at one size, which has twins for other checkers.
type benchModel struct {
	spec    string
	size    int
	setting string // of the spec, that is the size
	twin    string // the twins' file name, without extension
	goat    bool   // whether goat is to try it: it is too slow for the large ones
}

func (m benchModel) String() string { return fmt.Sprint(m.spec, " ", m.size) }

func twoPhase(rms int, goat bool) benchModel {
	return benchModel{"two-phase", rms, "rms", "twophase", goat}
}
func paxosCommit(rms int) benchModel {
	return benchModel{"paxos-commit", rms, "rms", "paxoscommit", false}
}
func peterson(procs int) benchModel {
	return benchModel{"peterson", procs, "procs", "peterson", false}
}

// models are what is measured, and quickModels what shows in seconds whether
// everything works. Two-phase commit with 6 resource managers is the largest
// that goat finishes in two minutes.
var (
	models      = []benchModel{twoPhase(8, false), paxosCommit(2), peterson(5), peterson(6), twoPhase(6, true)}
	quickModels = []benchModel{twoPhase(4, true), paxosCommit(1), peterson(4)}
)

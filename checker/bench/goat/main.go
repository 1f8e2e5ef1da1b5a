// Command goat checks two-phase commit with the library of that name: the twin
// of mc's spec two-phase, for its argument's number of resource managers.
//
// A goat machine reacts to events and cannot read another one's fields, and its
// handlers have no guards. So everything is one machine that keeps one event
// going, with a handler for each instance of an action; one that is not enabled
// leads back to where it was. The first event takes one world more than mc has
// states, which is not counted.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/goatx/goat"
)

type phase uint8

const (
	working phase = iota
	prepared
	committed
	aborted
)

type (
	running struct{ goat.State }

	// step is the event that is always under way.
	step struct {
		goat.Event[*commit, *commit]
	}

	commit struct {
		goat.StateMachine
		Phase           [8]phase
		Heard, Prepared uint8 // sets of resource managers
		Decision        phase
		Commit, Abort   bool // messages
	}
)

func main() {
	n, err := 0, error(nil)
	if len(os.Args) == 2 {
		n, err = strconv.Atoi(os.Args[1])
	}
	if err != nil || n < 1 || n > 8 {
		fmt.Fprintln(os.Stderr, "goat: want the number of resource managers, 1 to 8")
		os.Exit(2)
	}
	spec := goat.NewStateMachineSpec(&commit{})
	state := &running{}
	spec.DefineStates(state).SetInitialState(state)
	goat.OnEntry(spec, state, func(ctx context.Context, s *commit) { goat.SendTo(ctx, s, &step{}) })

	generated := 1 // the initial state
	action := func(guard func(*commit) bool, effect func(*commit)) {
		goat.OnEvent(spec, state, func(ctx context.Context, _ *step, s *commit) {
			if guard(s) {
				generated++
				effect(s)
			}
			goat.SendTo(ctx, s, &step{})
		})
	}
	all := uint8(1<<n - 1)
	action(
		func(s *commit) bool { return s.Decision == working && s.Heard == all },
		func(s *commit) { s.Decision, s.Commit = committed, true })
	action(
		func(s *commit) bool { return s.Decision == working },
		func(s *commit) { s.Decision, s.Abort = aborted, true })
	for r := range n {
		me := uint8(1 << r)
		action(
			func(s *commit) bool { return s.Decision == working && s.Prepared&me != 0 },
			func(s *commit) { s.Heard |= me })
		action(
			func(s *commit) bool { return s.Phase[r] == working },
			func(s *commit) { s.Phase[r] = prepared; s.Prepared |= me })
		action(
			func(s *commit) bool { return s.Phase[r] == working },
			func(s *commit) { s.Phase[r] = aborted })
		action(
			func(s *commit) bool { return s.Commit },
			func(s *commit) { s.Phase[r] = committed })
		action(
			func(s *commit) bool { return s.Abort },
			func(s *commit) { s.Phase[r] = aborted })
	}

	machine, err := spec.NewInstance()
	if err != nil {
		fmt.Fprintln(os.Stderr, "goat:", err)
		os.Exit(1)
	}
	result, err := goat.Test(goat.WithStateMachines(machine))
	if err != nil {
		fmt.Fprintln(os.Stderr, "goat:", err)
		os.Exit(1)
	}
	fmt.Printf("%d distinct states, %d generated\n", result.Summary.TotalWorlds-1, generated)
}

package traces

import (
	"fmt"

	"mc/model"
)

// handmade is a small replicated store with every kind of message: taken soon
// and late, across lanes and within one, taken twice, in flight, calls.
func handmade() *model.Trace {
	t := &model.Trace{
		Spec: "store", Property: "ReplicasAgree", Kind: model.Invariant, Shortest: true, Verdict: model.Violated, Loop: -1,
		Meaning: "whatever the leader has acknowledged is on every replica that is up",
		Lanes:   []string{"client", "unused", "leader", "log", "replica"},
		Config: model.Configuration{Scenario: "crash", Settings: []model.Setting{
			{Name: "crashes", Value: "1", Default: "0", Want: "0 to 3"},
			{Name: "ack-early", Value: "off", Default: "off", Fix: true},
			{Name: "sync", Value: "on", Default: "off", Fix: true},
		}},
	}
	put := func(state [4]string, s model.TraceStep) {
		for i, n := range []string{"log", "acked", "value[a]", "value[b]"} {
			s.Fields = append(s.Fields, model.Field{Name: n, Value: state[i]})
		}
		t.Steps = append(t.Steps, s)
	}
	step := func(action string, args ...string) model.Instance {
		in := model.Instance{Action: action}
		for i := 0; i < len(args); i += 2 {
			in.Args = append(in.Args, model.Arg{Name: args[i], Value: args[i+1]})
		}
		return in
	}
	put([4]string{"[CONF]", "0", "", ""}, model.TraceStep{})
	put([4]string{"[CONF]", "0", "", ""}, model.TraceStep{
		Instance: step("Write", "key", "a", "value", "1"), Doc: "Client.put", Lane: "client",
		Messages: []model.Message{{ID: "1", To: "leader", Text: "put a=1"}},
	})
	put([4]string{"[CONF]", "0", "", ""}, model.TraceStep{
		Instance: step("Write", "key", "b", "value", "2"), Doc: "Client.put", Lane: "client",
		Messages: []model.Message{{ID: "2", To: "leader", Text: "put b=2"}},
	})
	put([4]string{"[CONF a=1]", "0", "", ""}, model.TraceStep{
		Instance: step("Append", "key", "a"), Doc: "Leader.submit", Lane: "leader",
		Messages: []model.Message{
			{ID: "1"}, {ID: "e1", To: "replica", Text: "append a=1 with a long explanation on its arrow"},
			{ID: "r1", To: "client", Text: "ok"}, {To: "log", Text: "fsync", Call: true},
		},
	})
	put([4]string{"[CONF a=1 b=2]", "1", "", ""}, model.TraceStep{
		Instance: step("Append", "key", "b"), Doc: "Leader.submit", Lane: "leader",
		Messages: []model.Message{{ID: "2"}, {ID: "e2", To: "replica", Text: "append b=2"}, {ID: "t", To: "leader", Text: "timer"}},
	})
	put([4]string{"[CONF a=1 b=2]", "1", "1", ""}, model.TraceStep{
		Instance: step("Apply", "index", "1"), Lane: "replica",
		Messages: []model.Message{{ID: "e1"}, {ID: "a1", To: "leader", Text: "applied 1"}},
	})
	put([4]string{"[CONF a=1 b=2]", "1", "", ""}, model.TraceStep{
		Instance: step("Crash"), Lane: "replica", Messages: []model.Message{{ID: "x", To: "client", Text: "gone"}},
	})
	put([4]string{"[CONF a=1 b=2]", "2", "", ""}, model.TraceStep{
		Instance: step("Tick"), Lane: "leader", Messages: []model.Message{{ID: "t"}, {ID: "a1"}, {ID: "0"}},
	})
	put([4]string{"[CONF a=1 b=2]", "2", "1", ""}, model.TraceStep{
		Instance: step("Apply", "index", "1", "replayed", "true"), Lane: "replica", Messages: []model.Message{{ID: "e1"}},
	})
	put([4]string{"[CONF a=1 b=2]", "2", "1", "2"}, model.TraceStep{
		Instance: step("Apply", "index", "2"), Lane: "replica", Messages: []model.Message{{ID: "e2"}},
	})
	put([4]string{"[CONF a=1 b=2]", "2", "1", "3"}, model.TraceStep{
		Instance: step("Answer"), Lane: "client", Messages: []model.Message{{ID: "r1"}},
	})
	return t
}

// lasso is a behaviour in which one client is served again and again, and the
// other never.
func lasso() *model.Trace {
	t := &model.Trace{
		Spec: "lock", Property: "FirstIsServed", Meaning: "a client that waits is served", Verdict: model.Violated,
		Lanes: []string{"client 0", "client 1", "server"}, Loop: 2,
	}
	add := func(lane, action, client string, waiting, holding string, ms ...model.Message) {
		s := model.TraceStep{Lane: lane, Messages: ms, Fields: []model.Field{{Name: "waiting", Value: waiting}, {Name: "holding", Value: holding}}}
		s.Action = action
		if client != "" {
			s.Args = []model.Arg{{Name: "client", Value: client}}
		}
		t.Steps = append(t.Steps, s)
	}
	add("", "", "", "{}", "{}")
	add("client 0", "Ask", "0", "{0}", "{}", model.Message{ID: "ask 0", To: "server"})
	add("client 1", "Ask", "1", "{0, 1}", "{}", model.Message{ID: "ask 1", To: "server"})
	add("server", "Grant", "1", "{0}", "{1}", model.Message{ID: "ask 1"}, model.Message{ID: "grant 1", To: "client 1", Text: "granted"})
	add("client 1", "Release", "1", "{0}", "{}", model.Message{ID: "grant 1"}, model.Message{To: "server", Text: "release", Call: true})
	add("client 1", "Ask", "1", "{0, 1}", "{}", model.Message{ID: "ask 1", To: "server"})
	return t
}

// stutter is a behaviour in which at last nothing happens.
func stutter() *model.Trace {
	t := lasso()
	t.Steps = t.Steps[:3]
	return t
}

// faulty ends in a mistake of the spec.
func faulty() *model.Trace {
	t := handmade()
	t.Property, t.Meaning, t.Verdict = "", "", ""
	t.Steps = t.Steps[:3]
	t.Fault = "action Append(key=c): full sequence: sequence is full: its bound is 3 at store.go:17"
	return t
}

// hostile has labels that would harm a terminal, a graph or the layout.
func hostile() *model.Trace {
	t := handmade()
	evil := []string{
		"\x1b[31mred\x1b[0m", "a\nb\tc\r", "\u202egnp.exe\u2066", "\"><b>&amp;</b>\\N\\\"", "]]>{}|<x>", "\xff\xfe", "\u009b31m",
		"日本語の長いラベル", "e\u0301\u0301\u0301", "", " two  spaces ", "\x00", "%s%d%!", "\u200b\u200d",
	}
	at := 0
	next := func(s string) string {
		at++
		return fmt.Sprint(evil[at%len(evil)], s)
	}
	t.Property, t.Meaning = next(t.Property), next(t.Meaning)
	names := map[string]string{"": ""}
	for i, l := range t.Lanes {
		t.Lanes[i] = next(l)
		names[l] = t.Lanes[i]
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		if i > 0 {
			s.Action, s.Doc, s.Lane = next(s.Action), next(s.Doc), names[s.Lane]
		}
		for j := range s.Args {
			s.Args[j] = model.Arg{Name: next(s.Args[j].Name), Value: next(s.Args[j].Value)}
		}
		for j := range s.Messages {
			m := &s.Messages[j]
			m.To = names[m.To]
			if sends(*m) {
				m.Text = next(m.Text)
			}
		}
		for j := range s.Fields {
			s.Fields[j] = model.Field{Name: evil[j%len(evil)] + s.Fields[j].Name, Value: next(s.Fields[j].Value)}
		}
	}
	return t
}

// initialOnly is a counterexample without a step.
func initialOnly() *model.Trace {
	t := handmade()
	t.Steps = t.Steps[:1]
	return t
}

// document has a run for each way in which a search can end.
func document() *Document {
	result := func(property string, kind model.Kind, v model.Verdict, t *model.Trace) Result {
		r := Result{Property: property, Kind: kind, Verdict: v, Trace: t}
		if t != nil {
			t.Property, t.Kind, t.Verdict = property, kind, v
			r.Meaning, r.Steps = t.Meaning, len(t.Steps)-1
		}
		return r
	}
	reached := handmade()
	reached.Meaning = "a write is answered"
	counts := []Count{{"Write", 1204, 200, 150}, {"Append", 1, 1, 1}, {"Crash", 0, 0, 0}}
	bounded := result("NothingLost", model.Invariant, model.Holds, nil)
	bounded.Bound, bounded.Meaning = 1204, "no write disappears"
	return &Document{Version: Version, Exit: 12, Runs: []Run{
		{
			Spec: "store", Bug: "STORE-17", Config: handmade().Config,
			Results: []Result{
				result("ReplicasAgree", model.Invariant, model.Violated, handmade()), bounded,
				result("Answered", model.Witness, model.Reached, reached),
				result("Impossible", model.Witness, model.Unreachable, nil),
			},
			Distinct: 288, Generated: 1146, Depth: 11, Cut: 1204, Exhausted: true, Seconds: 0.25, MemoryBytes: 1 << 20, StateBytes: 24,
			Actions: counts, NeverTaken: []string{"Crash"}, Levels: []uint64{1, 12, 275},
			Fields: []Values{{"log", 40, false}, {"acked", 4096, true}},
			Growth: "field acked (7 new values in the last level) and action Write (9 of its states)",
		},
		{
			Spec: "lock", Results: []Result{explained(result("FirstIsServed", model.Leads, model.Violated, lasso()))},
			Distinct: 12, Generated: 40, Depth: 5, Seconds: 61.5,
		},
		{
			Spec: "store", Config: handmade().Config, Fault: faulty(), Incomplete: "the memory of 1 GB is full",
			Results:  []Result{result("ReplicasAgree", model.Invariant, model.Incomplete, nil)},
			Distinct: 1, Generated: 1, Depth: 1,
		},
	}}
}

// explained adds why the lasso is possible.
func explained(r Result) Result {
	r.Explanation = &Explanation{
		Neglected: []Neglect{
			{Action: "Grant", Enabled: 2, States: 4, Conditions: []string{"WF(Grant)"}},
			{Action: "Flush", Enabled: 4, States: 4},
		},
		Remedy: []string{"SF(Grant)"}, Tried: 2,
	}
	return r
}

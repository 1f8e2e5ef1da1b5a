package nodehealth

import (
	_ "embed"
	"fmt"
	"slices"

	"mc/model"
)

// Entry is the spec.
var Entry = model.Define("node-health", "an Ozone datanode comes back while the server forgets it as dead", build).
	With(model.About{Bug: "HDDS-17067", Story: model.PackageComment(source), Scenarios: scenarios, Claims: claims})

//go:embed doc.go
var source string

// Variant is which server it is.
type Variant uint8

// The servers.
const (
	SCM Variant = iota
	Recon
)

func (v Variant) String() string { return [...]string{"scm", "recon"}[v] }

// How is how a datanode comes back.
type How uint8

// The ways back.
const (
	Restart   How = iota // its process starts, and registers
	Reconnect            // its process never ended, and goes on with heartbeats
)

func (h How) String() string { return [...]string{"restart", "reconnect"}[h] }

// Reports is which reports heartbeats may carry.
type Reports uint8

// The kinds of reports.
const (
	NoReports Reports = iota
	Full
	FullFair // and one comes again and again
	Incremental
)

func (p Reports) String() string {
	return [...]string{"none", "full", "full-fair", "incremental"}[p]
}

// Changes is how often the operational state of a datanode changes.
type Changes uint8

// Fair changes come without end, each while the datanode is DEAD and no event
// waits.
const Fair Changes = 3

func (c Changes) String() string {
	if c == Fair {
		return "fair"
	}
	return fmt.Sprint(uint8(c))
}

// rules are the settings and what follows from them.
type rules struct {
	nodes      model.Param[Node]
	containers model.Param[Container]
	disk       Containers // on every datanode
	faulty     int        // datanodes 0, …, faulty-1 may stop

	variant Variant
	how     How
	reports Reports

	stale, dead, gap, interval, initial, checkDelay, queueDelay Ticks

	stops, syncs                       uint8
	ops                                Changes
	keepReplicas, changed, atomic      bool
	topology, topologyRecheck, measure bool
	refresh, skipKnown                 bool
	recheck, recheckAge, monitor       bool
	ignoreDead, refire                 bool
}

func read(c *model.Config) *rules {
	r := &rules{}
	r.refresh = c.Fix("refresh-on-register", "a registration refreshes the heartbeat time")
	recheck := c.Fix("recheck-before-remove", "the handler looks again, under the monitor of the report threads, whether the datanode is still DEAD, and removes its replicas before it lets go")
	r.skipKnown = c.Fix("skip-known-on-reload", "Recon's snapshot sync does not register a datanode that is known")
	look := c.Alternative("recheck-without-monitor", "the handler looks again, without the monitor")
	lock := c.Alternative("monitor-without-recheck", "the handler takes the monitor, and does not look again")
	r.recheckAge = c.Alternative("recheck-heartbeat-age", "recheck-before-remove, and the heartbeat time must be old as well")
	r.ignoreDead = c.Alternative("ignore-dead-reports", "the full report of a registration is dropped if the datanode is DEAD")
	r.refire = c.Alternative("refire-on-dead-report", "a report of a DEAD datanode with an old heartbeat time fires DEAD_NODE again")
	r.recheck = recheck || look || r.recheckAge
	r.monitor = recheck || lock || r.recheckAge

	r.variant = model.Choice(c, "variant", SCM, "the server: SCM, which acts, or Recon, which watches", SCM, Recon)
	r.how = model.Choice(c, "return", Restart, "how a datanode comes back: its process starts, or only its network is back", Restart, Reconnect)
	r.faulty = c.Int("faulty", 1, 1, 2, "datanodes that may stop")
	bystander := c.Bool("bystander", false, "one more datanode, which never stops")
	containers := c.Int("containers", 1, 1, maxContainers, "containers, all on every datanode")
	r.stops = uint8(c.Int("stops", 2, 0, 3, "times that each of them may stop"))

	r.stale = ticks(c, "stale", 2, 2, 6, "ticks without a heartbeat until a datanode is STALE")
	r.dead = ticks(c, "dead", 3, 3, 9, "ticks until it is DEAD; above stale")
	r.gap = ticks(c, "gap", 2, 1, 6, "Recon: ticks without a heartbeat until one is answered by a demand to register; at most stale")
	r.interval = ticks(c, "heartbeat-interval", 1, 1, 5, "ticks between heartbeats; below stale and gap")
	r.initial = ticks(c, "initial-interval", 1, 0, 5, "ticks from the start of a datanode to its registration, and from there to its first heartbeat")
	r.checkDelay = ticks(c, "check-delay", 1, 1, 6, "ticks between health checks, at most")
	r.queueDelay = ticks(c, "queue-delay", 0, 0, 6, "ticks that a report may wait in the queue")

	r.reports = model.Choice(c, "report-on-heartbeat", NoReports, "reports that heartbeats may carry; full-fair carries a full one again and again", NoReports, Full, FullFair, Incremental)
	r.ops = model.Choice(c, "op-changes", Changes(0), "changes of a datanode's operational state; fair changes that of a DEAD one again and again", Changes(0), Changes(1), Changes(2), Fair)
	r.syncs = uint8(c.Int("snapshot-sync", 0, 0, 2, "Recon: times that it takes over a snapshot of SCM's DB"))
	r.keepReplicas = c.Bool("snapshot-keeps-replicas", false, "replicas survive that")
	r.changed = model.Choice(c, "changed-address", "no", "whether a datanode that starts has a new address, ports or version", "no", "always") == "always"
	r.topology = c.Bool("topology", false, "SCM: the network topology is looked at, too") && r.variant == SCM
	r.topologyRecheck = c.Bool("topology-recheck", true, "with HDDS-14834: the handler looks again before it touches the topology")
	r.atomic = c.Bool("handler-atomic", false, "the handler does all in one step, which is too coarse")
	r.measure = c.Bool("measure-windows", false, "ticks since a registration are counted, to see how wide windows are")

	if r.variant == SCM {
		r.syncs = 0
	}
	nodes := r.faulty
	if bystander {
		nodes++
	}
	r.nodes = model.Below[Node]("datanode", nodes)
	r.containers = model.Below[Container]("container", containers)
	r.disk = model.SetOf[Container, uint8](r.containers.Values...)
	return r
}

func ticks(c *model.Config, name string, def, lo, hi int, doc string) Ticks {
	return Ticks(c.Int(name, def, lo, hi, doc))
}

func build(c *model.Config) *model.Spec[State] {
	r := read(c)
	var first State
	for _, n := range r.nodes.Values {
		first.DN[n] = DN{
			Up: true, Due: r.interval, NodeSet: r.disk, Replicas: r.disk,
			Ghost: NodeGhost{Registered: true, Seen: true, Applied: true, Contact: true},
		}
	}
	properties, questions := r.guarantees(), r.questions()
	if r.measure {
		questions = append(questions, r.windows()...)
	}
	if r.faulty == 1 {
		properties = append(properties, r.liveLeavesDead())
	} else {
		questions = append(questions, r.liveLeavesDead())
	}

	return &model.Spec[State]{
		Init:       []State{first},
		Actions:    slices.Concat(r.checks(), r.handler(), r.environment(), r.datanode(), r.reportThreads()),
		Properties: properties,
		Questions:  questions,
		Fairness: []model.Fairness{
			{Name: "heartbeats", Strength: model.Weak, Per: "datanode", Actions: []string{"Heartbeat", "HeartbeatFCR", "HeartbeatICR"}},
			{Name: "DEAD_NODE thread", Strength: model.Weak, Actions: []string{"HandlerStart", "CloseContainers", "DestroyPipelines",
				"BeginRemoval", "RemoveReplica", "RereadStatus", "LeaveTopology"}},
		},
		Symmetry: r.symmetry(),
		Lanes:    r.lanes(),
		Draw:     r.draw,
	}
}

// nodeIs names a condition on one datanode.
func nodeIs(name string, p func(*DN) bool) model.Conjunct[func(*State, Node) bool] {
	return model.If(name, func(s *State, n Node) bool { return p(&s.DN[n]) })
}

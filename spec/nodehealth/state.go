package nodehealth

import (
	"fmt"

	"mc/model"
)

const (
	maxNodes      = 3 // two that stop, and a bystander
	maxContainers = 2
	maxEvents     = 6 // DEAD_NODE events that wait
	maxSinceReg   = 4 // where SinceReg stops counting
)

// Node names a datanode.
type Node uint8

func (n Node) String() string { return fmt.Sprintf("dn%d", n+1) }

// Container names a container. Every datanode has a replica of each on disk.
type Container uint8

func (c Container) String() string { return fmt.Sprintf("c%d", c+1) }

// Containers is a set of containers.
type Containers = model.Set[Container, uint8]

// Ticks counts time, in a unit that every threshold is a multiple of.
type Ticks uint8

// Phase is what a datanode has to do next at the server's endpoint.
type Phase uint8

// The phases.
const (
	HB    Phase = iota // to heartbeat; also while it is down
	Boot               // to register, because it has just started
	Rereg              // to register, because a heartbeat was answered so
)

func (p Phase) String() string { return [...]string{"HB", "BOOT", "REREG"}[p] }

// Health is what the server thinks of a datanode.
type Health uint8

// The healths. A datanode that comes back is ReadOnly for one check.
const (
	Healthy Health = iota
	ReadOnly
	Stale
	Dead
)

func (h Health) String() string {
	return [...]string{"HEALTHY", "HEALTHY_READONLY", "STALE", "DEAD"}[h]
}

// Report is a container report: REG or FCR, which are full, or ICR plus a
// container.
type Report uint8

// The reports.
const (
	REG Report = iota + 1 // comes with a registration
	FCR                   // comes with a heartbeat
	ICR                   // comes with a heartbeat and names one container
)

func (p Report) String() string {
	switch p {
	case REG:
		return "REG"
	case FCR:
		return "FCR"
	}
	return "ICR(" + Container(p-ICR).String() + ")"
}

// full says that the report names all containers of the datanode.
func (p Report) full() bool { return p < ICR }

// Tag says where a DEAD_NODE event comes from.
type Tag uint8

// The tags.
const (
	Pre    Tag = iota + 1 // declared DEAD before the datanode was back
	Post                  // declared DEAD although it was back and registered
	Op                    // its operational state changed while it was DEAD
	Refire                // a report came from it while it was DEAD
)

func (t Tag) String() string { return [...]string{"-", "pre", "post", "op", "refire"}[t] }

// Event is a DEAD_NODE event.
type Event struct {
	Node Node
	Tag  Tag
}

func (e Event) String() string { return fmt.Sprintf("%v:%v", e.Node, e.Tag) }

// Why is what the handler could have known of a datanode as it began to remove
// its replicas.
type Why uint8

// The reasons.
const (
	Unrefreshed Why = iota + 1 // DEAD, and its heartbeat time is old
	Window                     // DEAD, but its heartbeat time is fresh: the next check will tell
	Resurrected                // not DEAD any more
)

func (w Why) String() string { return [...]string{"-", "unrefreshed", "window", "resurrected"}[w] }

// Erasure is the removal of a replica that a live datanode had reported.
type Erasure struct {
	Tag Tag
	Why Why
}

func (e Erasure) String() string {
	if e == (Erasure{}) {
		return "none"
	}
	return fmt.Sprintf("%v, %v", e.Tag, e.Why)
}

// PC is where the DEAD_NODE thread stands.
type PC uint8

// The places between its steps.
const (
	Idle PC = iota
	Close
	Destroy
	Check
	Remove
	Reread
	Leave
)

func (p PC) String() string {
	return [...]string{"idle", "close", "destroy", "check", "remove", "reread", "leave"}[p]
}

// Handler is the DEAD_NODE thread and the event that it handles. All but PC is
// zero while it is idle.
type Handler struct {
	PC   PC
	Node Node
	Tag  Tag
	Todo Containers // replicas still to remove
	Gen  uint8      // which DatanodeInfo it locks, if it locks one
	Why  Why
}

func (h Handler) String() string {
	switch h.PC {
	case Idle:
		return h.PC.String()
	case Remove:
		return fmt.Sprintf("%v %v of %v:%v, %v", h.PC, h.Todo, h.Node, h.Tag, h.Why)
	}
	return fmt.Sprintf("%v %v:%v", h.PC, h.Node, h.Tag)
}

// Late is how many ticks after its registration a datanode was declared DEAD,
// plus one, or 0 if it was not.
type Late uint8

func (l Late) String() string {
	if l == 0 {
		return "-"
	}
	return fmt.Sprint(l - 1)
}

// DN is a datanode and what the server holds of it.
type DN struct {
	Up    bool // it runs and reaches the server
	Phase Phase
	Due   Ticks // that may still pass before its next RPC is processed

	Health    Health
	Age       Ticks      // since lastHeartbeatTime; at most the dead interval
	Gap       Ticks      // Recon: since the last heartbeat of any kind; at most Gap
	Gen       uint8      // which DatanodeInfo it has
	NodeSet   Containers // in NodeStateMap; the handler goes through it, and does not clear it
	Replicas  Containers // in the container manager: those that count
	ReportQ   model.Seq[Report, [1 + maxContainers]Report]
	QueueWait Ticks // for which ReportQ has not been empty

	Absent   bool  // from the network topology
	ROEvents uint8 // transitions to HEALTHY_READONLY not yet handled
	Stops    uint8

	Ghost NodeGhost
}

// NodeGhost is what happened to a datanode. No thread reads it.
type NodeGhost struct {
	Registered bool // since it came back
	Seen       bool // it registered, or a heartbeat refreshed its time, since it came back
	Applied    bool // and a report was applied then
	Contact    bool // any RPC since it was declared DEAD
	Erased     Erasure
	// Where windows are measured:
	SinceReg Ticks // since it registered first, after it came back; stops when it stops
	LateAt   Late
}

// State is the datanodes and the server's threads.
type State struct {
	DN         [maxNodes]DN `index:"datanode"`
	SinceCheck Ticks        // since the last health check
	DeadQ      model.Seq[Event, [maxEvents]Event]
	Handler    Handler
	Syncs, Ops uint8
	Ghost      Ghost
}

// Ghost is what happened at all.
type Ghost struct {
	BadResurrection bool // a datanode left DEAD without a sign of life
	HealedByICR     bool // one incremental report put back one of two erased replicas
}

// enqueue adds a report to the queue. A full one replaces an older full
// one; a second one of the same container adds nothing.
func (d *DN) enqueue(p Report) {
	if i := d.ReportQ.Index(p); i >= 0 && !p.full() {
		return
	}
	for i, q := range d.ReportQ.All() {
		if p.full() && q.full() {
			d.ReportQ.Remove(i)
			break
		}
	}
	d.ReportQ.Push(p)
}

// deadPending says that a DEAD_NODE event of n waits, or that the handler may
// remove replicas of n.
func (s *State) deadPending(n Node) bool {
	return s.queued(n) || s.handling(n) && s.Handler.PC <= Remove
}

// handling says that the handler is at work on n.
func (s *State) handling(n Node) bool { return s.Handler.PC != Idle && s.Handler.Node == n }

// queued says that a DEAD_NODE event of n waits.
func (s *State) queued(n Node) bool {
	for _, e := range s.DeadQ.All() {
		if e.Node == n {
			return true
		}
	}
	return false
}

// settled says that the datanode is back, owes no registration, and that no
// report of it waits.
func (d *DN) settled() bool {
	return d.Up && d.Ghost.Seen && d.Phase == HB && d.ReportQ.Empty()
}

// stranded says that n is dead, that replicas of it are left, and that nothing
// is on the way that would remove them: no event waits, and there is none to
// come, because only a fresher heartbeat time ends DEAD.
func (r *rules) stranded(s *State, n Node) bool {
	d := &s.DN[n]
	return !d.Up && d.Health == Dead && d.Age >= r.stale && !s.deadPending(n) &&
		d.ReportQ.Empty() && !d.Replicas.Empty()
}

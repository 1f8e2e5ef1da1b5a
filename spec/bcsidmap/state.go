package bcsidmap

import (
	"fmt"

	"mc/model"
)

const (
	maxWriters    = 2
	maxContainers = 2
	maxLog        = 9                   // entries, those of restarts not counted
	maxDowns      = 2                   // crashes; as many stops
	maxEntries    = maxLog + 2*maxDowns // entries of the log
)

// Writer names a client that writes one block, through one datanode or another.
type Writer uint8

func (w Writer) String() string { return fmt.Sprintf("w%d", w+1) }

// Container names a container.
type Container uint8

func (c Container) String() string { return fmt.Sprintf("c%d", c+1) }

// Containers is a set of containers.
type Containers = model.Set[Container, uint8]

// Index is an index of the Raft log, from 1 on, or a BCSID, which is one. 0 is
// the BCSID of a container without blocks.
type Index int8

// BCSIDs is container2BCSIDMap.
type BCSIDs = model.Map[Container, Index, [maxContainers]Index]

// Mode is how a writer writes.
type Mode uint8

// The modes of writers.
const (
	None       Mode = iota
	Raft            // a stream; its PutBlocks are log entries
	NoRaft          // a stream; its PutBlocks run on its own thread
	Close           // a stream; its closing PutBlock alone runs on its own thread
	WriteChunk      // no stream: a WriteChunk and a PutBlock, both log entries
	SmallFile       // no stream: PutSmallFile, a log entry
)

func (m Mode) String() string { return [...]string{"none", "raft", "noraft", "close", "wc", "psf"}[m] }

// streams says that the mode writes through a stream.
func (m Mode) streams() bool { return m == Raft || m == NoRaft || m == Close }

// Op is the kind of a log entry.
type Op uint8

// The kinds of log entry.
const (
	Conf  Op = iota // Raft's own: a new leader, a configuration
	PBMid           // PutBlock in the middle of a block
	PBFin           // PutBlock that completes a block
	SE              // a stream's entry, appended when it is closed
	WC              // WriteChunk; apply is its stage COMMIT_DATA
	PSF             // PutSmallFile
	CC              // CloseContainer
)

func (o Op) String() string { return [...]string{"CONF", "PB", "PB", "SE", "WC", "PSF", "CC"}[o] }

// LogEntry is an entry of the Raft log.
type LogEntry struct {
	Op  Op
	Of  uint8 // the writer; for CC the container
	Try uint8 // the writer's attempt
}

func (e LogEntry) String() string {
	text := e.Op.String()
	switch e.Op {
	case Conf:
		return text
	case CC:
		return text + "(" + Container(e.Of).String() + ")"
	}
	text += "(" + Writer(e.Of).String()
	switch e.Op {
	case PBMid:
		text += ",mid"
	case PBFin:
		text += ",fin"
	}
	if e.Try > 0 {
		text += fmt.Sprintf(",try %d", e.Try+1)
	}
	return text + ")"
}

// CState is the state of a container on disk.
type CState uint8

// The states of a container.
const (
	Nowhere CState = iota // it does not exist
	Open
	Closed
	QuasiClosed
	Unhealthy
)

func (c CState) String() string {
	return [...]string{"none", "OPEN", "CLOSED", "QUASI_CLOSED", "UNHEALTHY"}[c]
}

// Record is a block's record on disk.
type Record uint8

// The records of a block.
const (
	NoRecord Record = iota
	Mid             // by a PutBlock in the middle
	Final
)

func (r Record) String() string { return [...]string{"none", "mid", "final"}[r] }

// PC is where a thread stands that handles a command.
type PC uint8

// The places between the steps of a command.
const (
	Ready  PC = iota // no command is being handled
	Put              // the container was found absent from the map, its BCSID read
	Body             // checked; the handler is next
	Update           // the block is on disk and the BCSID read: updateBCSID is next
)

func (p PC) String() string { return [...]string{"-", "put", "body", "update"}[p] }

// Status is how far a writer has come, as its client knows.
type Status uint8

// The statuses of a writer.
const (
	Idle         Status = iota
	Creating            // its container was created and is not in the map yet
	Streaming           // the stream is open
	MidSent             // a PutBlock in the middle was sent; outside the log, it succeeded
	FinSent             // the last PutBlock was sent
	StreamClosed        // the closing PutBlock succeeded
	Written             // the data of a WriteChunk are on disk
	Chunked             // the WriteChunk is in the log
	Done
	Failed  // to be written again as a new block
	Refused // the datanode did not take the data
)

func (s Status) String() string {
	return [...]string{"idle", "creating", "open", "mid", "fin", "closed", "wdata", "wc", "done", "failed", "refused"}[s]
}

// Membership is whether the datanode is a member of the Raft group.
type Membership uint8

// The two memberships.
const (
	On Membership = iota
	Removed
)

func (m Membership) String() string { return [...]string{"on", "removed"}[m] }

// Failure is a way in which updateBCSID can fail.
type Failure uint8

// The failures of updateBCSID.
const (
	InReplay    Failure = iota // a PutBlock that was in the log at the restart
	Live                       // a later PutBlock from the log
	InSmallFile                // a PutSmallFile
	InMid                      // a stream's PutBlock in the middle
	InClose                    // a stream's closing PutBlock
)

func (f Failure) String() string {
	return [...]string{"replay", "live", "psf", "mid", "close"}[f]
}

// State is the datanode, its log, and its clients.
type State struct {
	// Durable: the log, index 1 first, the containers, the blocks, the snapshot.
	Log       model.Seq[LogEntry, [maxEntries]LogEntry]
	CState    [maxContainers]CState `index:"container"`
	BCSID     [maxContainers]Index  `index:"container"`
	Witnessed Containers            // the table of containers ever seen
	Blk       [maxWriters]Record    `index:"writer"`
	BlkBCSID  [maxWriters]Index     `index:"writer"`
	SnapIdx   Index                 // 0 ≤ SnapIdx ≤ Log.Len()
	SnapMap   BCSIDs

	Up         bool
	Group      Membership
	CloseAsked bool // SCM was asked to close the pipeline

	// Volatile.
	Applied   Index // of Ratis' updater; SMApplied ≤ Applied ≤ Log.Len()
	SMApplied Index // of the state machine: stuck while it is unhealthy
	Healthy   bool
	Bad       Containers // those that made it unhealthy
	Map       BCSIDs
	Missing   Containers // known once, not on disk at the start

	Apc   PC // the apply thread
	Aval  Index
	Spc   [maxWriters]PC     `index:"writer"` // the stream threads
	Skind [maxWriters]Record `index:"writer"`
	Sval  [maxWriters]Index  `index:"writer"`

	Status  [maxWriters]Status `index:"writer"` // the clients
	SESent  [maxWriters]bool   `index:"writer"`
	Attempt [maxWriters]uint8  `index:"writer"`

	Ghost Ghost
}

// Ghost is what happened so far. No thread reads it; properties and bounds do.
type Ghost struct {
	Fails      model.Set[Failure, uint8]
	Touched    Containers // had a PutBlock handled since the last start
	RecLen     Index      // entries in the log at the last restart
	SnapMissed bool       // a snapshot lacked a container that was on disk
	Covered    Containers // on disk, with an entry, when the last snapshot was taken
	Lost       Containers
	Corrupted  Containers
	Undetected bool // a restart did not notice a loss or a corruption
	Crashes    uint8
	Stops      uint8
	Snapshots  uint8
}

// container is the one that an entry is about; not for Conf.
func (r *rules) container(e LogEntry) Container {
	if e.Op == CC {
		return Container(e.Of)
	}
	return r.into[e.Of]
}

func (s *State) exists(c Container) bool { return s.CState[c] != Nowhere }

// lacks says that the map lacks a container that exists: what a re-add mends.
func (s *State) lacks(c Container) bool { return s.exists(c) && !s.Map.Has(c) }

// writable says that a command may write to c, or create it.
func (s *State) writable(c Container) bool {
	return !s.Missing.Has(c) && (s.CState[c] == Open || s.CState[c] == Nowhere)
}

// create makes an empty container on disk.
func (s *State) create(c Container) {
	s.CState[c], s.BCSID[c] = Open, 0
	s.Witnessed.Add(c)
}

// putBack is the re-add: v is what the thread read when it saw that the map
// lacks c.
func (r *rules) putBack(s *State, c Container, v Index) {
	if r.overwrite {
		s.Map.Put(c, v)
	} else {
		s.Map.PutIfAbsent(c, v)
	}
	s.Missing.Remove(c)
}

// update is the end of updateBCSID; the map has c.
func (r *rules) update(s *State, c Container, v Index) {
	if r.updateMax {
		v = max(v, s.Map.Get(c))
	}
	s.Map.Put(c, v)
}

// persist is BlockManagerImpl.persistPutBlock for a PutBlock of w at index i of
// the log, or 0 on a stream thread. A PutBlock that the container has seen is
// skipped, with success. A block of an earlier attempt is another block.
func (r *rules) persist(s *State, w Writer, record Record, i Index, stale bool) {
	c := r.into[w]
	s.Ghost.Touched.Add(c)
	if i != 0 && i <= s.BCSID[c] {
		return
	}
	b := i
	if i == 0 && record == Final && s.Blk[w] != NoRecord {
		b = s.BlkBCSID[w] // a closing PutBlock without an index keeps the block's
	}
	if !stale {
		s.Blk[w], s.BlkBCSID[w] = record, b
	}
	if b != 0 {
		s.BCSID[c] = b // even if it is lower
	}
}

package bcsidmap

import (
	_ "embed"
	"slices"

	"mc/model"
)

// Entry is the spec.
var Entry = model.Define("bcsid-map", "an Ozone datanode forgets a container that is on its disk", build).
	With(model.About{Bug: "HDDS-17430", Story: model.PackageComment(source), Scenarios: scenarios, Claims: claims})

//go:embed doc.go
var source string

// rules are the settings and what follows from them.
type rules struct {
	writers    model.Param[Writer]
	containers model.Param[Container]
	mode       [maxWriters]Mode
	into       [maxWriters]Container // where each writer's block goes

	readd       [CC + 1]bool // kinds of entry that put a container back
	readdStream bool         // a stream's PutBlock does
	overwrite   bool         // the way back is put, not putIfAbsent
	updateMax   bool

	snapshotOnStop, alwaysOnStop, confOnRestart, witnessTable, fineCreate bool

	crashes, stops, snapshots, log         int
	retry, close, remove, lose, corrupt    bool
	crashIfSnapshotHasAll, putBlockAfterWC bool
}

func read(c *model.Config) *rules {
	r := &rules{}
	apply := c.Fix("readd-putblock-apply", "a PutBlock from the log puts an existing container back into the map")
	r.readdStream = c.Fix("readd-putblock-stream", "a PutBlock on a stream thread puts it back")
	smallFile := c.Fix("readd-putsmallfile", "a PutSmallFile puts it back")
	plainPut := c.Alternative("readd-put", "what is put back overwrites what is there by then (put, not putIfAbsent)")
	r.readd[SE] = c.Alternative("readd-stream-entry", "a stream's entry in the log puts it back")
	r.updateMax = c.Alternative("update-bcsid-max", "updateBCSID never lowers a value in the map")
	r.readd[WC] = !c.Bool("no-readd-writechunk", false, "without HDDS-1843: a WriteChunk from the log puts nothing back")
	r.readd[PBMid], r.readd[PBFin], r.readd[PSF] = apply, apply, smallFile
	// HDDS-1843 used put; the fix makes that putIfAbsent too.
	r.overwrite = plainPut || !apply && !r.readdStream && !smallFile && !r.readd[SE]

	r.mode[0] = model.Choice(c, "writer-1", Raft, "how the first writer writes", Raft, NoRaft, Close, WriteChunk, SmallFile)
	r.mode[1] = model.Choice(c, "writer-2", None, "how the second writer writes", None, Raft, NoRaft, Close, WriteChunk, SmallFile)
	r.into[1] = model.Choice(c, "container-2", Container(0), "the container of the second writer", 0, 1)
	r.crashes = c.Int("crashes", 1, 0, maxDowns, "times the datanode may be killed")
	r.stops = c.Int("stops", 0, 0, maxDowns, "times the datanode may be stopped in good order")
	r.snapshots = c.Int("snapshots", 1, 0, 2, "snapshots, those of stops not counted")
	r.log = c.Int("log", 5, 1, maxLog, "entries of the log, those of restarts not counted")

	r.retry = c.Bool("retry", false, "a writer that failed writes again, to a new block")
	r.close = c.Bool("close-container", false, "containers may be closed through the log")
	r.remove = c.Bool("remove-group", false, "the datanode may leave the Raft group")
	r.lose = c.Bool("lose-container", false, "a container may vanish from disk while the datanode is down")
	r.corrupt = c.Bool("corrupt-bcsid", false, "a BCSID on disk may become 0 while the datanode is down")

	r.snapshotOnStop = !c.Bool("no-snapshot-on-stop", false, "hdds.ratis.raft.server.snapshot.trigger-when-stop.enabled=false")
	r.alwaysOnStop = c.Bool("snapshot-on-stop-always", false, "a stop takes a snapshot even if nothing was applied since the last")
	r.confOnRestart = c.Bool("conf-entry-on-restart", false, "each restart appends an entry of Raft's own")
	r.witnessTable = !c.Bool("no-witnessed-table", false, "without HDDS-11650: only the snapshot tells which containers are missing")
	r.fineCreate = c.Bool("fine-create", false, "a writer's command creates the container in one step and puts it into the map in another")
	r.crashIfSnapshotHasAll = c.Bool("crash-if-snapshot-has-all", false, "only a datanode whose snapshot has every container on disk is killed")
	r.putBlockAfterWC = c.Bool("putblock-after-writechunk", false, "a PutBlock is sent only when the log has a WriteChunk of its container")

	writers, containers := 1, 1
	if r.mode[1] != None {
		writers, containers = 2, 1+int(r.into[1])
	}
	r.writers = model.Below[Writer]("writer", writers)
	r.containers = model.Below[Container]("container", containers)
	return r
}

func build(c *model.Config) *model.Spec[State] {
	r := read(c)
	first := State{Up: true, Healthy: true}
	first.Log.Push(LogEntry{Op: Conf})
	properties, questions := r.guarantees(), r.questions()
	if r.retry {
		properties = append(properties, r.temporal()...)
	} else {
		questions = append(questions, r.temporal()...)
	}

	return &model.Spec[State]{
		Init:       []State{first},
		Actions:    slices.Concat(r.client(), r.apply(), r.stream(), r.environment()),
		Properties: properties,
		Questions:  questions,
		Fairness: []model.Fairness{
			{Name: "client", Strength: model.Weak, Per: "writer", Actions: []string{"StreamInit", "WriteData", "CreatePut",
				"AppendWC", "AppendPB", "AppendMid", "AppendFin", "AppendSE", "AppendPSF", "Retry"}},
			{Name: "apply thread", Strength: model.Weak, Actions: []string{"ApplyBegin", "ApplyPut", "ApplyBody", "ApplyUpd"}},
			{Name: "stream thread", Strength: model.Weak, Per: "writer", Actions: []string{"StreamBegin", "StreamPut", "StreamBody", "StreamUpd"}},
		},
		Symmetry: r.symmetry(),
		Lanes:    r.lanes(),
		Draw:     r.draw,
	}
}

// serving is what needs a datanode that is up and a member of the group;
// serving0, serving1 and serving2 guard it.
var serving = model.All(
	model.If("up", func(s *State) bool { return s.Up }),
	model.If("in the group", func(s *State) bool { return s.Group == On }),
)

func serving0(parts ...model.Conjunct[func(*State) bool]) model.Conjuncts[func(*State) bool] {
	return slices.Concat(serving, parts)
}

func serving1[A any](parts ...model.Conjunct[func(*State, A) bool]) model.Conjuncts[func(*State, A) bool] {
	return slices.Concat(model.For1[A](serving...), parts)
}

func serving2[A, B any](parts ...model.Conjunct[func(*State, A, B) bool]) model.Conjuncts[func(*State, A, B) bool] {
	return slices.Concat(model.For2[A, B](serving...), parts)
}

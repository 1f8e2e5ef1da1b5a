// Package bcsidmap is Apache Ozone's HDDS-17430: after a restart a datanode
// no longer knows a container that lies intact on its disk.
//
// A datanode stores containers, and a container holds blocks. Datanodes form
// pipelines: Raft groups that each run one ContainerStateMachine per member,
// driven by the library Ratis. The spec is one datanode of one pipeline. The
// Raft log is given; the other members and the clients are its environment.
//
// Each container on disk carries a block commit sequence id, BCSID: the Raft
// index of its last block. The state machine mirrors it in a concurrent map in
// memory, container2BCSIDMap. The map, with the last applied index, is all
// that a Ratis snapshot holds; blocks are written to disk in place. A restart
// fills the map from the snapshot and applies the log from there on again.
//
// A container enters the map, with 0, by the command that creates it, and only
// by it: if the container exists, nothing is inserted. PutBlock, which commits
// a block, writes the block to disk first, then demands that the map has the
// container (updateBCSID), then copies the BCSID there. Two kinds of creator
// differ. An ordinary WriteChunk is a log entry, and since HDDS-1843 applying
// one puts an existing container back. A stream's StreamInit is never a log
// entry: it runs on every member as data arrives.
//
// So: StreamInit creates the container, the datanode is killed before the next
// snapshot, and after the restart nothing puts the container back. Mode raft
// sends a stream's PutBlocks through the log: replaying the first one writes
// the block, finds no container in the map and throws. The state machine is
// unhealthy from then on, takes no snapshot, and with the next entry of that
// container asks SCM, the manager of the cluster, to close the pipeline. Mode
// noraft runs PutBlocks on the stream's own thread: replay is harmless, and
// each later PutBlock into the container fails its client after having written
// the block. Mode close is between: only the closing PutBlock avoids the log.
//
// The fix looks before each PutBlock and PutSmallFile: if the container exists
// and is not in the map, its BCSID on disk goes there by putIfAbsent. No lock
// covers the look, the put, the write and the update, and streams run beside
// the apply thread, so each of these is a step of its own here.
package bcsidmap

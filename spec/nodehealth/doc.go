// Package nodehealth is Apache Ozone's HDDS-17067: a datanode comes back while
// its server takes it for dead, and the server ends up counting replicas of a
// datanode that is gone, or none of one that is there.
//
// A datanode stores replicas of containers. It talks to SCM, the manager of the
// cluster, and likewise to Recon, which watches the cluster by the same code.
// When its process starts, it registers, with a full report of its replicas;
// heartbeats follow, and the next full report is an hour away. The server keeps
// a DatanodeInfo of it, with lastHeartbeatTime, health and containers, and for
// each container the replicas that count. Who counts them ignores health.
//
// Four kinds of threads work on that, and no lock spans them. RPC threads: a
// heartbeat sets lastHeartbeatTime, the registration of a known datanode does
// not, and reports go into a queue. Report threads apply them, each under the
// monitor of the DatanodeInfo. The health checker compares lastHeartbeatTime
// with two intervals, for STALE and DEAD, and fires DEAD_NODE when a datanode
// becomes DEAD: then, and not again. The one DEAD_NODE thread takes event after
// event: it leaves unless the datanode is DEAD, closes containers, destroys
// pipelines, which can take minutes, and removes the replicas one by one.
//
// So a datanode that registers looks as old as before until its first
// heartbeat, 2 or 30 s later. It may be DEAD, have its report put the replicas
// back, and stop before it heartbeats: DEAD it was all the time, no event
// comes, and the replicas stay for good. It may be STALE, and be declared DEAD
// after it registered: it lives, and its replicas go. Or it comes back while the
// handler is at work, which then removes what the report has just put back.
// Until the next full report, containers are MISSING from a HEALTHY datanode.
//
// Recon answers the first heartbeat after a long silence by a demand to
// register, and does not refresh the time: there, a lost network will do. SCM
// takes such a heartbeat as it is.
//
// The fix: a registration refreshes lastHeartbeatTime. The handler looks at the
// health again, under the monitor that report threads use, and keeps it until
// the replicas are removed. And Recon, which registers all datanodes of a DB
// that it takes over from SCM, leaves out those it knows, as dead ones would
// come alive.
//
// Time is the age of each lastHeartbeatTime, in ticks. No tick passes while a
// live datanode owes an RPC, a report is overdue, or the health checker has not
// looked since the last one, for all these are quicker than the intervals. The
// handler owes nothing: any number of ticks may pass between its steps.
package nodehealth

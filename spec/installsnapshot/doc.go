// Package installsnapshot is Apache Ozone's HDDS-17573: a follower installs
// its leader's database, and its Raft library never takes notice.
//
// Three Ozone Managers, OM, form a Raft group by means of the library Ratis.
// The database of each has the effect of its log up to some index. What the
// database has, the OM drops from its log, whether the others have it or not.
// A follower that lacks a dropped entry gets the database instead.
//
// The leader keeps an appender for each follower: a thread, with a view of the
// follower's next index. While the view is below the leader's first index, the
// thread notifies the follower of that index. Otherwise it sends entries, or
// heartbeats. A follower that rejects these names its own next index, which
// becomes the view.
//
// The first notification makes OM download a checkpoint of the leader's
// database, and until the install ends, the follower rejects entries and
// heartbeats. OM replaces its database by the checkpoint and completes a
// future, whose callback stores the checkpoint's index. Ratis goes on counting
// from its old log: only the next notification reads the stored index, reloads
// and ends the install. (Before RATIS-1481 the callback reloaded.)
//
// There may be no next one. A follower checks an append under a lock and
// writes it without: later, in a chain of futures, behind a slow flush. Let it
// have accepted 2..3, and not 4, when another peer takes over. The new leader,
// whose log begins at 3, learns that the follower lacks 4 and goes on at 2. It
// notifies. Then 2..3 get into the log. The next rejection says 4, an entry
// that the leader has; so it sends that, the follower rejects it because of an
// install that is over, and so for ever. The cluster works on, but no other OM
// may fail. A new leader alone does it too, on a fast disk, if its log begins
// lower than that of the one that notified: HDDS-16932, found in SCM, the
// service that manages the cluster's storage.
//
// With the fix, entries and heartbeats find the stored index as well: the
// follower reloads, ends the install, and rejects with its new next index.
//
// The spec has one follower, F, in detail. A and B, its peers, share a log that
// never diverges, and one of them leads. F answers a request in the step that
// sends it. To accept an append, to put it into the log, and to flush it are
// three steps, and so are download, replacement, completion and reload four:
// no lock is held between them.
package installsnapshot

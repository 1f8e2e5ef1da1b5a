// Package appendwindow is Apache Ratis' RATIS-2145: a follower gets no more
// log entries from its leader, while every heartbeat succeeds.
//
// Ratis is a Raft library; Apache Ozone keeps its metadata with it. A Raft
// leader sends its log to each follower through an appender of its own. The
// spec is one leader, its appender, and one follower, in one term; another
// follower keeps up, so that the leader commits without this one.
//
// The appender sends requests ahead of replies: nextIndex goes up when a
// request is built, matchIndex when its reply comes. Requests without a reply
// are in a RequestMap. While that holds as many as the window admits, the
// appender sends heartbeats only. An entry leaves the map by its reply, by a
// reply INCONSISTENCY to whatever request, which clears the map, and when the
// stream breaks. It did not leave by a timeout: that looked the request up,
// wrote a warning, and left it in.
//
// So as many requests as the window admits close it for good if they are never
// answered. Nothing looks wrong: heartbeats do not need the window, and they
// succeed. They could be refused if they named the entry before nextIndex, but
// they do so only while the map is empty. And as the follower hears from its
// leader, it calls no election.
//
// Why is there no answer, on a stream that loses none? The follower appends
// entries to its log in memory and answers when they are flushed, in order. A
// thread of the log takes tasks from a queue and flushes after a write if the
// queue is then empty. The follower takes a snapshot, and its purge of old log
// entries queues up behind the writes of all these requests: the last write
// leaves the flush to the next task, the purge does not flush, and the thread
// goes idle. The next write would flush all of it. It would come with the next
// request, for which the leader has no room. Each waits for the other.
//
// The report's cluster got out when the leader purged its own log beyond
// nextIndex: then the appender has the follower install a snapshot.
//
// With the fix, a request that times out leaves the map, and so the appender
// goes on; the follower's checks of what it is sent make that safe. The purge
// that skips a flush is RATIS-2116, which has a fix of its own: either one
// ends this deadlock, but only the first helps against any other reply that
// never comes, and only the second gets the last entries flushed when no more
// follow.
package appendwindow

/* Paxos commit with ballots 0 and 1: the twin of mc's spec paxos-commit with
   3 acceptors. See twophase.pml for why it is one process of d_steps. */

#ifndef N
#define N 2		/* resource managers, at most 2 */
#endif

#define WORKING		0
#define PREPARED	1
#define COMMITTED	2
#define ABORTED		3

byte phase[N];
bit begun[N];		/* ballot 1 has been: phase 1a */
byte promised[N];	/* a set of acceptors: phase 1b of ballot 1 */
byte proposed0[N];	/* phase 2a of ballots 0 and 1; WORKING for nothing */
byte proposed1[N];
byte voted0[N];		/* sets of acceptors: phase 2b */
byte voted1[N];
bit commit;
bit abort;

#define QUORUM(s)	((s & (s - 1)) != 0)	/* two or three of three */
#define DECIDED(r, v)	(proposed0[r] == v && QUORUM(voted0[r]) || proposed1[r] == v && QUORUM(voted1[r]))

#define RM(r) \
	:: d_step { phase[r] == WORKING -> phase[r] = PREPARED; proposed0[r] = PREPARED } \
	:: d_step { phase[r] == WORKING -> phase[r] = ABORTED; proposed0[r] = ABORTED } \
	:: d_step { commit -> phase[r] = COMMITTED } \
	:: d_step { abort -> phase[r] = ABORTED } \
	:: d_step { begun[r] = 1 } \
	PROPOSE(r, 3) PROPOSE(r, 5) PROPOSE(r, 6) \
	ACCEPTOR(r, 1) ACCEPTOR(r, 2) ACCEPTOR(r, 4)

/* phase 2a of ballot 1 with quorum q: its latest vote, or to abort */
#define PROPOSE(r, q) \
	:: d_step { proposed1[r] == WORKING && (promised[r] & q) == q -> \
		proposed1[r] = ((voted0[r] & q) != 0 -> proposed0[r] : ABORTED) }

/* phase 1b of ballot 1, and phase 2b of ballots 0 and 1 */
#define ACCEPTOR(r, a) \
	:: d_step { begun[r] && ((promised[r] | voted1[r]) & a) == 0 -> promised[r] = promised[r] | a } \
	:: d_step { proposed0[r] != WORKING && ((promised[r] | voted1[r]) & a) == 0 -> voted0[r] = voted0[r] | a } \
	:: d_step { proposed1[r] != WORKING -> voted1[r] = voted1[r] | a }

active proctype all()
{
	do
	RM(0)
#if N == 1
	:: d_step { DECIDED(0, PREPARED) -> commit = 1 }
	:: d_step { DECIDED(0, ABORTED) -> abort = 1 }
#else
	RM(1)
	:: d_step { DECIDED(0, PREPARED) && DECIDED(1, PREPARED) -> commit = 1 }
	:: d_step { DECIDED(0, ABORTED) || DECIDED(1, ABORTED) -> abort = 1 }
#endif
	od
}

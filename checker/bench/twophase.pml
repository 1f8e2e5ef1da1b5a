/* Two-phase commit: the twin of mc's spec two-phase.

   One process, whose only place is the head of its loop, and one d_step for
   each instance of an action: so SPIN stores exactly the states of the spec. */

#ifndef N
#define N 8		/* resource managers, at most 8 */
#endif

#define WORKING		0
#define PREPARED	1
#define COMMITTED	2
#define ABORTED		3

byte phase[N];
byte heard;		/* sets of resource managers */
byte prepared;
byte decision;
bit commit;
bit abort;

#define ALL		((1 << N) - 1)

#define RM(r) \
	:: d_step { decision == WORKING && (prepared & (1 << r)) -> heard = heard | (1 << r) } \
	:: d_step { phase[r] == WORKING -> phase[r] = PREPARED; prepared = prepared | (1 << r) } \
	:: d_step { phase[r] == WORKING -> phase[r] = ABORTED } \
	:: d_step { commit -> phase[r] = COMMITTED } \
	:: d_step { abort -> phase[r] = ABORTED }

active proctype all()
{
	do
	:: d_step { decision == WORKING && heard == ALL -> decision = COMMITTED; commit = 1 }
	:: d_step { decision == WORKING -> decision = ABORTED; abort = 1 }
	RM(0)
#if N > 1
	RM(1)
#endif
#if N > 2
	RM(2)
#endif
#if N > 3
	RM(3)
#endif
#if N > 4
	RM(4)
#endif
#if N > 5
	RM(5)
#endif
#if N > 6
	RM(6)
#endif
#if N > 7
	RM(7)
#endif
	od
}

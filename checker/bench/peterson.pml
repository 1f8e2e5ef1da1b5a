/* Peterson's lock: the twin of mc's spec peterson. See twophase.pml for why it
   is one process of d_steps. A process is at line 0 when noncritical, then at
   the lines 3l-2, 3l-1 and 3l of each level l, then at CRITICAL. */

#ifndef N
#define N 5		/* processes, at most 6 */
#endif

#define CRITICAL	(3 * (N - 1) + 1)
#define LEVEL(p)	((at[p] + 1) / 3)

byte at[N];
byte last[N];		/* of level l at index l, a process plus one; 0 is unused */

#define ABOVE(p, q)	(q < N && q != p && LEVEL(q) >= LEVEL(p))

#if N == 2
#define OTHERS(p)	(ABOVE(p, 0) || ABOVE(p, 1))
#elif N == 3
#define OTHERS(p)	(ABOVE(p, 0) || ABOVE(p, 1) || ABOVE(p, 2))
#elif N == 4
#define OTHERS(p)	(ABOVE(p, 0) || ABOVE(p, 1) || ABOVE(p, 2) || ABOVE(p, 3))
#elif N == 5
#define OTHERS(p)	(ABOVE(p, 0) || ABOVE(p, 1) || ABOVE(p, 2) || ABOVE(p, 3) || ABOVE(p, 4))
#else
#define OTHERS(p)	(ABOVE(p, 0) || ABOVE(p, 1) || ABOVE(p, 2) || ABOVE(p, 3) || ABOVE(p, 4) || ABOVE(p, 5))
#endif

#define PROC(p) \
	:: d_step { at[p] == 0 -> at[p] = 1 } \
	:: d_step { at[p] % 3 == 1 && at[p] != CRITICAL -> at[p] = at[p] + 1 } \
	:: d_step { at[p] % 3 == 2 -> last[LEVEL(p)] = p + 1; at[p] = at[p] + 1 } \
	:: d_step { at[p] % 3 == 0 && at[p] != 0 && (last[LEVEL(p)] != p + 1 || !OTHERS(p)) -> at[p] = at[p] + 1 } \
	:: d_step { at[p] == CRITICAL -> at[p] = 0 }

active proctype all()
{
	do
	PROC(0)
	PROC(1)
#if N > 2
	PROC(2)
#endif
#if N > 3
	PROC(3)
#endif
#if N > 4
	PROC(4)
#endif
#if N > 5
	PROC(5)
#endif
	od
}

#include "textflag.h"

// func prefetchWrite(slots *uint64, at []int)
TEXT ·prefetchWrite(SB), NOSPLIT, $0-32
	MOVQ slots+0(FP), AX
	MOVQ at_base+8(FP), BX
	MOVQ at_len+16(FP), CX
	JMP  test

next:
	MOVQ (BX), DX
	LEAQ (AX)(DX*8), DX
	BYTE $0x0f; BYTE $0x0d; BYTE $0x0a // PREFETCHW (DX), which the assembler lacks
	ADDQ $8, BX
	DECQ CX

test:
	TESTQ CX, CX
	JNZ   next
	RET

-- Two-phase commit: the twin of mc's spec two-phase. A rule for each instance
-- of an action, and one start state.

const
  N: 8; -- resource managers

type
  RM: 0 .. N - 1;
  Phase: enum { Working, Prepared, Committed, Aborted };

var
  phase: array[RM] of Phase;
  heard: array[RM] of boolean;
  prepared: array[RM] of boolean;
  decision: Phase;
  commit: boolean;
  abort: boolean;

ruleset r: RM do
  rule "TMRcvPrepared"
    decision = Working & prepared[r] ==> begin heard[r] := true;
  end;

  rule "RMPrepare"
    phase[r] = Working ==> begin phase[r] := Prepared; prepared[r] := true;
  end;

  rule "RMChooseToAbort"
    phase[r] = Working ==> begin phase[r] := Aborted;
  end;

  rule "RMRcvCommitMsg"
    commit ==> begin phase[r] := Committed;
  end;

  rule "RMRcvAbortMsg"
    abort ==> begin phase[r] := Aborted;
  end;
end;

rule "TMCommit"
  decision = Working & forall r: RM do heard[r] end ==>
begin
  decision := Committed;
  commit := true;
end;

rule "TMAbort"
  decision = Working ==>
begin
  decision := Aborted;
  abort := true;
end;

startstate begin
  for r: RM do
    phase[r] := Working;
    heard[r] := false;
    prepared[r] := false;
  end;
  decision := Working;
  commit := false;
  abort := false;
end;

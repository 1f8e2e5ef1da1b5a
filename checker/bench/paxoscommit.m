-- Paxos commit with ballots 0 and 1: the twin of mc's spec paxos-commit with 3
-- acceptors. A quorum is all acceptors but one.

const
  N: 2; -- resource managers

type
  RM: 0 .. N - 1;
  Acceptor: 0 .. 2;
  Ballot: 0 .. 1;
  Phase: enum { Working, Prepared, Committed, Aborted };

var
  phase: array[RM] of Phase;
  begun: array[RM] of boolean; -- phase 1a of ballot 1
  promised: array[RM] of array[Acceptor] of boolean; -- phase 1b of ballot 1
  proposed: array[RM] of array[Ballot] of Phase; -- phase 2a; Working for nothing
  voted: array[RM] of array[Ballot] of array[Acceptor] of boolean; -- phase 2b
  commit: boolean;
  abort: boolean;

function decided(r: RM; v: Phase): boolean;
begin
  return exists b: Ballot do
    proposed[r][b] = v &
      exists out: Acceptor do forall a: Acceptor do a = out | voted[r][b][a] end end
  end;
end;

ruleset r: RM do
  rule "RMPrepare"
    phase[r] = Working ==> begin phase[r] := Prepared; proposed[r][0] := Prepared;
  end;

  rule "RMChooseToAbort"
    phase[r] = Working ==> begin phase[r] := Aborted; proposed[r][0] := Aborted;
  end;

  rule "RMRcvCommitMsg"
    commit ==> begin phase[r] := Committed;
  end;

  rule "RMRcvAbortMsg"
    abort ==> begin phase[r] := Aborted;
  end;

  rule "Phase1a"
    true ==> begin begun[r] := true;
  end;

  ruleset out: Acceptor do
    rule "Phase2a"
      proposed[r][1] = Working & forall a: Acceptor do a = out | promised[r][a] end ==>
    begin
      if exists a: Acceptor do a != out & voted[r][0][a] end then
        proposed[r][1] := proposed[r][0];
      else
        proposed[r][1] := Aborted;
      end;
    end;
  end;

  ruleset a: Acceptor do
    rule "Phase1b"
      begun[r] & !promised[r][a] & !voted[r][1][a] ==> begin promised[r][a] := true;
    end;

    rule "Phase2b of ballot 0"
      proposed[r][0] != Working & !promised[r][a] & !voted[r][1][a] ==> begin voted[r][0][a] := true;
    end;

    rule "Phase2b of ballot 1"
      proposed[r][1] != Working ==> begin voted[r][1][a] := true;
    end;
  end;
end;

rule "DecideCommit"
  forall r: RM do decided(r, Prepared) end ==> begin commit := true;
end;

rule "DecideAbort"
  exists r: RM do decided(r, Aborted) end ==> begin abort := true;
end;

startstate begin
  for r: RM do
    phase[r] := Working;
    begun[r] := false;
    for a: Acceptor do
      promised[r][a] := false;
    end;
    for b: Ballot do
      proposed[r][b] := Working;
      for a: Acceptor do
        voted[r][b][a] := false;
      end;
    end;
  end;
  commit := false;
  abort := false;
end;

-- Peterson's lock: the twin of mc's spec peterson.

const
  N: 5; -- processes

type
  Proc: 0 .. N - 1;
  Level: 1 .. N - 1;
  Line: enum { Noncritical, Raise, Name, Wait, Critical };

var
  line: array[Proc] of Line;
  after: array[Proc] of 0 .. N - 1; -- the process's own: the level it goes to
  level: array[Proc] of 0 .. N - 1;
  last: array[Level] of 0 .. N; -- a process plus one, or nobody

ruleset p: Proc do
  rule "Request"
    line[p] = Noncritical ==> begin line[p] := Raise; after[p] := 1;
  end;

  rule "Rise"
    line[p] = Raise ==> begin level[p] := after[p]; line[p] := Name;
  end;

  rule "Yield"
    line[p] = Name ==> begin last[after[p]] := p + 1; line[p] := Wait;
  end;

  rule "Pass"
    line[p] = Wait & (last[after[p]] != p + 1 |
      forall q: Proc do q = p | level[q] < after[p] end) ==>
  begin
    if after[p] = N - 1 then
      line[p] := Critical;
    else
      line[p] := Raise;
      after[p] := after[p] + 1;
    end;
  end;

  rule "Leave"
    line[p] = Critical ==> begin line[p] := Noncritical; level[p] := 0; after[p] := 0;
  end;
end;

startstate begin
  for p: Proc do
    line[p] := Noncritical;
    after[p] := 0;
    level[p] := 0;
  end;
  for l: Level do
    last[l] := 0;
  end;
end;

//go:build !race

package checker

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"mc/model"
)

// TestMemoryIsWhatIsReported compares the memory that a report names with what
// the system counts.
func TestMemoryIsWhatIsReported(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of states")
	}
	m := machine(t, gridEntry(41, nil), model.Selection{}) // 3,111,696 states
	late := machine(t, gridEntry(41, violatedLast), model.Selection{})
	for _, c := range []struct {
		m *model.Machine
		o Options
	}{
		{m, Options{Workers: 1}}, {m, Options{Workers: 2}}, {m, Options{Workers: 2, Fingerprints: true}},
		{late, Options{Workers: 2}}, {late, Options{Workers: 2, Fingerprints: true}},
	} {
		m, o := c.m, c.o
		debug.FreeOSMemory()
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
			t.Skip("the peak cannot be reset: ", err)
		}
		before := kilobytes(t, "VmRSS")
		r := Check(context.Background(), m, o)
		took := (kilobytes(t, "VmHWM") - before) << 10
		// The Go heap, and what a batch needs, is not in the report.
		const rest = 4 << 20
		if most, least := r.Memory*11/10+rest, r.Memory*9/10-rest; took > most || took < least {
			t.Errorf("%+v: the process took %d bytes, the report says %d", o, took, r.Memory)
		}
	}
}

// violatedLast is violated by the corner of the grid that is reached last.
func violatedLast(s *model.Spec[grid]) {
	s.Properties[0] = model.Always("InRange", func(s *grid) bool { return s.N != [4]uint8{41, 41, 41, 41} })
}

// TestNoMemoryForBehaviours takes all memory away once a search is over.
func TestNoMemoryForBehaviours(t *testing.T) {
	s := newSearch(machine(t, gridEntry(41, violatedLast), model.Selection{}), Options{Workers: 1, Fingerprints: true})
	defer s.close()
	s.run(context.Background())
	var were syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &were); err != nil {
		t.Skip(err)
	}
	few := were
	few.Cur = uint64(kilobytes(t, "VmSize"))<<10 + 1<<20
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &few); err != nil {
		t.Skip(err)
	}
	r := s.report()
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &were); err != nil {
		t.Fatal(err)
	}
	if r.Results[0].Verdict != model.Violated || r.Results[0].Behaviour != nil || r.Exhausted ||
		!strings.HasPrefix(r.Incomplete, "no memory from the system: ") {
		t.Errorf("got %s, %d steps, incomplete: %q", r.Results[0].Verdict, r.Results[0].Steps, r.Incomplete)
	}
}

// kilobytes is a figure of the process.
func kilobytes(t *testing.T, name string) (n int64) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			if _, err := fmt.Sscan(rest, &n); err != nil {
				t.Fatal(err)
			}
		}
	}
	return n
}

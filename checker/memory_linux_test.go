//go:build !race

package checker

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
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
	for _, o := range []Options{
		{Workers: 1}, {Workers: 2}, {Workers: 2, Fingerprints: true},
	} {
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

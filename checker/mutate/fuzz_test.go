package mutate

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// FuzzReadKnown: each line is a reason, or told with its number; and reasons that
// are written anew are read the same.
func FuzzReadKnown(f *testing.F) {
	for _, text := range []string{"Restart / up: nothing depends on it\n", "# why\n\nInc: a\nInc: b", "Inc / : x", " / : x", ": x", "Inc:\n", "a: b: c", "a / b / c: d", "\xff: x", "Inc: a\r\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		known, err := ReadKnown(text)
		if err != nil {
			lines := strings.Count(text, "\n") + 1
			for one := range strings.SplitSeq(err.Error(), "\n") {
				var n int
				if _, err := fmt.Sscanf(one, "line %d: ", &n); err != nil || n < 1 || n > lines {
					t.Errorf("got %q", one)
				}
			}
			return
		}
		var b strings.Builder
		for mu, reason := range known {
			if reason == "" || mu.Action == "" {
				t.Errorf("got %+v: %q", mu, reason)
			}
			fmt.Fprintf(&b, "%v: %s\n", mu, reason)
		}
		if again, err := ReadKnown(b.String()); err != nil || !maps.Equal(known, again) {
			t.Errorf("got %v, %v, want %v", again, err, known)
		}
	})
}

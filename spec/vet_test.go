package spec

import (
	"testing"

	"mc/checker/vet"
	"mc/model/inspect"
)

// TestVet: mc vet finds no mistake in any spec. Single states are looked at by
// the test of each spec, so few will do here.
func TestVet(t *testing.T) {
	if testing.Short() {
		t.Skip("searches each scenario, and tries each setting")
	}
	for _, e := range All {
		t.Run(e.Name, func(t *testing.T) {
			r := vet.Spec(t.Context(), e, vet.Options{Budget: inspect.Budget{States: 50, Walks: 2, Steps: 20}})
			for _, f := range r.Findings {
				t.Errorf("%s:%d: %s", f.File, f.Line, f.Text)
			}
			for _, what := range r.Incomplete {
				t.Errorf("incomplete: %s", what)
			}
		})
	}
}

// Package checkertest searches specs in their tests.
package checkertest

import (
	"testing"

	"mc/checker"
	"mc/model"
)

// Search searches a spec as it is selected for the named properties, or for its
// guarantees, and fails the test if the spec itself is at fault.
func Search(t testing.TB, e *model.Entry, sel model.Selection, properties ...string) *checker.Report {
	t.Helper()
	m, err := e.Machine(sel)
	if err != nil {
		t.Fatal(err)
	}
	var o checker.Options
	for _, name := range properties {
		i := m.Property(name)
		if i < 0 {
			t.Fatalf("%s has no property %s", m.Name, name)
		}
		o.Properties = append(o.Properties, i)
	}
	r := checker.Check(t.Context(), m, o)
	if r.Fault != nil {
		t.Fatal(r.Fault.Fault)
	}
	return r
}

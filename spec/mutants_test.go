package spec

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mc/checker/mutate"
)

// TestMutants leaves out every guard and every action of the specs of bugs.
// What no guarantee notices has a reason in testdata/mutants.txt, and every
// reason there is of a mutant that survives. With -long the claims that reasons
// name have to notice, and no others.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds for each spec")
	}
	for _, e := range All {
		if e.Bug == "" {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			subjects, err := mutate.Guarantees(e)
			if err != nil {
				t.Fatal(err)
			}
			if *long {
				claims, err := mutate.Claims(e)
				if err != nil {
					t.Fatal(err)
				}
				subjects = append(subjects, claims...)
			}
			mutants, err := mutate.Run(t.Context(), subjects, mutate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(strings.ReplaceAll(e.Name, "-", ""), "testdata", "mutants.txt")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			known, err := mutate.ReadKnown(string(text))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			for _, mu := range mutants {
				reason := known[mu.Mutation]
				claim := slices.Concat(strings.Fields(reason), []string{"", ""})[1]
				switch named := strings.HasPrefix(reason, "claim "); {
				case mu.Outcome == mutate.Undecided:
					t.Errorf("%v: undecided: %s", mu.Mutation, mu.How)
				case mu.Outcome != mutate.Survives && mu.Outcome != mutate.Claimed:
				case reason == "":
					t.Errorf("%v survives; want a property that notices, or a reason in %s", mu.Mutation, path)
				case *long && mu.Outcome == mutate.Claimed && (!named || claim != mu.Claim):
					t.Errorf("%v: claim %s notices: %s; the reason is: %s", mu.Mutation, mu.Claim, mu.How, reason)
				case *long && mu.Outcome == mutate.Survives && named:
					t.Errorf("%v: no claim notices; the reason is: %s", mu.Mutation, reason)
				}
			}
			for _, mu := range known.Stale(mutants) {
				t.Errorf("%s: %v does not survive; want no reason for it", path, mu)
			}
		})
	}
}

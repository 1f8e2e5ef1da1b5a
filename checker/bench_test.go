package checker

import (
	"context"
	"slices"
	"testing"
	"time"

	"mc/model"
)

// BenchmarkLivenessAgainstSafety searches one space of a million states twice
// in turn, judging an invariant alone and a leads-to under weak fairness with
// it, and reports the ratio of the medians and the bytes for each edge.
func BenchmarkLivenessAgainstSafety(b *testing.B) {
	twoPhase := func(rms string) *model.Machine {
		return machine(b, entry(b, "two-phase"), model.Selection{Set: map[string]string{"rms": rms}})
	}
	for name, m := range map[string]*model.Machine{
		"grid": machine(b, gridEntry(31, func(s *model.Spec[grid]) {
			s.Actions[0] = s.Actions[0].FairEach(model.Weak)
			s.Questions = []model.Property[grid]{model.LeadsTo("Ends",
				func(s *grid) bool { return s.N[0] == 3 }, func(s *grid) bool { return s.N[0] == 31 })}
		}), model.Selection{}),
		"two-phase-8": twoPhase("8"),
	} {
		b.Run(name, func(b *testing.B) {
			all, invariants := []int{}, []int{}
			for i, p := range m.Properties {
				if p.Kind.Temporal() || p.Kind == model.Invariant {
					all = append(all, i)
				}
				if p.Kind == model.Invariant {
					invariants = append(invariants, i)
				}
			}
			var safety, both []time.Duration
			var last *Report
			for b.Loop() {
				safety = append(safety, Check(context.Background(), m, Options{Properties: invariants}).Elapsed)
				last = Check(context.Background(), m, Options{Properties: all})
				both = append(both, last.Elapsed)
			}
			slices.Sort(safety)
			slices.Sort(both)
			b.ReportMetric(float64(both[len(both)/2])/float64(safety[len(safety)/2]), "ratio")
			b.ReportMetric(float64(last.EdgeBytes)/float64(max(1, last.Edges)), "B/edge")
			b.ReportMetric(float64(last.Distinct), "states")
		})
	}
}

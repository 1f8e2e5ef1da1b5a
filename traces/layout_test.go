package traces

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mc/model"
)

// TestLayout checks that pictures of random traces can be read: see check.
func TestLayout(t *testing.T) {
	for name, tr := range samples(t) {
		check(t, name, pictureOf(tr))
	}
	for seed := range uint64(300) {
		check(t, fmt.Sprintf("seed %d", seed), pictureOf(randomTrace(rand.New(rand.NewPCG(seed, 0)))))
	}
}

// randomTrace has steps on four lanes that send, take and call at random.
func randomTrace(r *rand.Rand) *model.Trace {
	lanes := []string{"a", "b", "c", "d"}
	lane := func() string { return lanes[r.IntN(len(lanes))] }
	var steps []string
	for range 1 + r.IntN(14) {
		s := lane() + ":"
		for i := range r.IntN(4) {
			if i > 0 {
				s += ","
			}
			switch m := fmt.Sprint("m", strings.Repeat("essage ", r.IntN(6)), r.IntN(6)); r.IntN(5) {
			case 0:
				s += "!" + lane()
			case 1, 2:
				s += m + ">" + lane()
			default:
				s += m
			}
		}
		steps = append(steps, s)
	}
	t := events(r.IntN(2)*(1+r.IntN(len(steps)+1))-1, steps...)
	for i := range t.Steps {
		for f := range 3 {
			v := strings.Repeat("value ", r.IntN(12))
			t.Steps[i].Fields = append(t.Steps[i].Fields, model.Field{Name: fmt.Sprint("field", f), Value: v})
		}
	}
	return t
}

// check says what makes a picture legible: boxes lie apart and in their order;
// lines are upright or level, go from side to side and cross no box; the lines of two
// messages never lie upon each other; labels lie apart from boxes, from each
// other and from the upright parts of lines; all is inside.
func check(t *testing.T, name string, p *picture) {
	t.Helper()
	fail := func(format string, a ...any) {
		t.Helper()
		t.Errorf("%s: %s", name, fmt.Sprintf(format, a...))
	}
	page := area{0, 0, p.w, p.h}
	var boxes []area
	for _, b := range p.boxes {
		boxes = append(boxes, b.area)
	}
	for _, l := range p.lanes {
		boxes = append(boxes, l.area)
	}
	for i, a := range boxes {
		if !page.holds(a) {
			fail("box %d %v is outside of %v", i, a, page)
		}
		for j, b := range boxes[:i] {
			if a.meets(b) {
				fail("boxes %d %v and %d %v overlap", i, a, j, b)
			}
		}
		if i > 0 && i < len(p.boxes) && a.y <= boxes[i-1].y {
			fail("box %d is not below the one before", i)
		}
	}
	type line struct {
		area
		message int
	}
	var lines []line
	for i, r := range p.routes {
		if start := r.points[0]; !p.boxes[r.from].side(start) && len(r.points) != 3 {
			fail("route %d does not start at the side of its step: %v", i, start)
		}
		if end := r.points[len(r.points)-1]; r.to >= 0 && !p.boxes[r.to].side(end) {
			fail("route %d does not end at the side of its step: %v", i, end)
		}
		for j := range r.points[1:] {
			a, b := r.points[j], r.points[j+1]
			if a.x != b.x && a.y != b.y {
				fail("route %d slants from %v to %v", i, a, b)
			}
			l := area{min(a.x, b.x), min(a.y, b.y), max(a.x, b.x) - min(a.x, b.x), max(a.y, b.y) - min(a.y, b.y)}
			if !page.holds(l) {
				fail("route %d %v is outside", i, l)
			}
			for k, b := range boxes {
				if l.meets(b) {
					fail("route %d %v crosses box %d %v", i, l, k, b)
				}
			}
			for _, other := range lines {
				if other.message != r.message && l.upon(other.area) {
					fail("route %d %v lies upon %v of another message", i, l, other)
				}
			}
			lines = append(lines, line{l, r.message})
		}
	}
	var labels []area
	for i, r := range p.routes {
		if len(r.label) == 0 {
			continue
		}
		w, h := textW(widest(r.label), labelSize), len(r.label)*labelLineH
		l := area{r.lx - w/2, r.ly - h/2, w, h}
		if !page.holds(l) {
			fail("label %d %q at %v is outside", i, r.label, l)
		}
		for k, b := range boxes {
			if l.meets(b) {
				fail("label %d %q at %v is on box %d %v", i, r.label, l, k, b)
			}
		}
		for _, other := range lines {
			if other.h > 0 && l.meets(other.area) {
				fail("label %d %q at %v is on a line %v", i, r.label, l, other)
			}
		}
		if slices.ContainsFunc(labels, l.meets) {
			fail("label %d %q at %v is on another label", i, r.label, l)
		}
		labels = append(labels, l)
	}
}

// side says whether a point is on the left or right side of an area.
func (a area) side(p point) bool {
	return (p.x == a.x || p.x == a.x+a.w) && a.y < p.y && p.y < a.y+a.h
}

// holds says whether b lies in a.
func (a area) holds(b area) bool {
	return a.x <= b.x && a.y <= b.y && b.x+b.w <= a.x+a.w && b.y+b.h <= a.y+a.h
}

// meets says whether the insides of two areas meet; a line counts as its own
// inside.
func (a area) meets(b area) bool {
	return a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h
}

// upon says whether two lines share more than a point.
func (a area) upon(b area) bool {
	x := min(a.x+a.w, b.x+b.w) - max(a.x, b.x)
	y := min(a.y+a.h, b.y+b.h) - max(a.y, b.y)
	return x >= 0 && y >= 0 && x+y > 0
}

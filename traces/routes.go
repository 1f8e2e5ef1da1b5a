package traces

import "slices"

// route is the line of a message, from its sender to one taker.
type route struct {
	kind    routeKind
	from    int // the step
	to      int // the step, or -1 if the line ends on a lane
	points  []point
	label   []string
	lx, ly  int // the label's centre
	message int // that of one message are equal
}

type point struct{ x, y int }

type routeKind int

const (
	taken routeKind = iota
	inFlight
	call
	again // the way back of a loop
)

// trunk is the part of a message's way that all its takers in one lane share.
type trunk struct {
	kind     routeKind
	arrow    int // index into the chart's
	from     int // step
	fromLane int
	lane     int // that it goes to
	takers   []int
	label    []string
	exit     int   // how far down the sender's box it leaves
	entries  []int // how far down the box of each taker it arrives
	track    int   // number of its track, from the box of its takers
}

// gutter is the space right of a lane. From left to right it holds tracks of
// messages to that lane, labels, and tracks of messages to the next lane.
type gutter struct {
	x           int
	left, right []int // for each track, counted from its lane, the last row in use
	labels      int   // width
}

func (g *gutter) width() int {
	return max(minGutter, (len(g.left)+len(g.right)+2)*trackW+g.labels)
}

// side is a side of a box, with how far down from the top messages meet it.
type side struct{ used int }

// next is the place of one more message, which needs some height above it.
func (s *side) next(height int) int {
	s.used += height
	return s.used
}

// leaves is the gutter that a trunk leaves its step into.
func (d *drawing) leaves(k *trunk) *gutter {
	if k.lane < k.fromLane {
		return &d.gutters[k.fromLane-1]
	}
	return &d.gutters[k.fromLane]
}

// descends is the gutter that a trunk goes down in, next to the lane of its
// takers, and whether that is on the gutter's right.
func (d *drawing) descends(k *trunk) (g *gutter, right bool) {
	if k.lane > k.fromLane {
		return &d.gutters[k.lane-1], true
	}
	return &d.gutters[k.lane], false
}

// connect finds the trunks and where they meet their boxes.
func (d *drawing) connect() {
	sent := make([][]*trunk, len(d.trace.Steps))
	taken := make([][]*trunk, len(d.trace.Steps))
	for n := range d.chart.arrows {
		for _, k := range d.trunksOf(n) {
			d.trunks = append(d.trunks, k)
			sent[k.from] = append(sent[k.from], k)
			for _, s := range k.takers {
				taken[s] = append(taken[s], k)
			}
		}
	}
	for i := range d.trace.Steps {
		b := d.boxes[i]
		if d.turns() && i == d.trace.Loop+1 {
			b.left.next(arrivalH)
		}
		for _, k := range taken[i] {
			s := &b.right
			if k.lane > k.fromLane {
				s = &b.left
			}
			k.entries = append(k.entries, s.next(arrivalH))
		}
		for _, k := range sent[i] {
			s := &b.right
			if k.lane < k.fromLane {
				s = &b.left
			}
			k.exit = s.next(len(k.label)*labelLineH + 5)
		}
		if d.turns() && i == len(d.trace.Steps)-1 {
			b.left.next(arrivalH)
		}
	}
}

// turns says whether the trace has a loop of steps, with a line back.
func (d *drawing) turns() bool { return endingOf(d.trace) == repeats }

// trunksOf are those of one arrow: one for each lane that a taker stands on.
func (d *drawing) trunksOf(n int) (ks []*trunk) {
	a := &d.chart.arrows[n]
	if a.from < 0 {
		return nil
	}
	k := trunk{kind: taken, arrow: n, from: a.from, fromLane: d.chart.at[a.from], lane: a.to}
	if a.text != "" {
		k.label = few(wrap(plain(a.text), labelCols), mostLines)
	}
	switch {
	case a.call:
		k.kind = call
		return []*trunk{&k}
	case a.inFlight():
		k.kind = inFlight
		k.label = append(k.label, wrap("("+a.later()+")", labelCols)...)
		return []*trunk{&k}
	}
	for _, s := range a.takers {
		lane := d.chart.at[s]
		i := slices.IndexFunc(ks, func(k *trunk) bool { return k.lane == lane })
		if i < 0 {
			i = len(ks)
			one := k
			one.lane = lane
			ks = append(ks, &one)
		}
		ks[i].takers = append(ks[i].takers, s)
	}
	return ks
}

// tracks gives trunks their tracks, so that no two in one track pass the same
// row, and finds how wide the labels of each gutter are.
func (d *drawing) tracks() {
	for _, k := range d.trunks {
		out := d.leaves(k)
		out.labels = max(out.labels, textW(widest(k.label), labelSize)+2*pad)
		if k.kind != taken && k.lane != k.fromLane {
			continue // straight along its row
		}
		last := k.from
		if n := len(k.takers); n > 0 {
			last = k.takers[n-1]
		}
		g, right := d.descends(k)
		if right {
			k.track = take(&g.right, k.from, last)
		} else {
			k.track = take(&g.left, k.from, last)
		}
	}
}

// take is the first track that is free from a row on; it is in use to another.
func take(tracks *[]int, from, to int) int {
	for i, last := range *tracks {
		if last < from {
			(*tracks)[i] = to
			return i
		}
	}
	*tracks = append(*tracks, to)
	return len(*tracks) - 1
}

// route draws the lines.
func (d *drawing) route() {
	for _, k := range d.trunks {
		d.routeTrunk(k)
	}
	if !d.turns() {
		return
	}
	from, to := len(d.trace.Steps)-1, d.trace.Loop+1
	last, first := d.boxes[from], d.boxes[to]
	x, y0, y1 := margin+trackW, last.y+last.left.used, first.y+arrivalH
	d.routes = append(d.routes, route{
		kind: again, from: from, to: to, message: -1,
		points: []point{{last.x, y0}, {x, y0}, {x, y1}, {first.x, y1}},
	})
}

func (d *drawing) routeTrunk(k *trunk) {
	b := d.boxes[k.from]
	start := point{b.x, b.y + k.exit}
	if k.lane >= k.fromLane {
		start.x += b.w
	}
	g, right := d.descends(k)
	track := g.x + (k.track+1)*trackW
	if right {
		track = g.x + g.width() - (k.track+1)*trackW
	}
	out := d.leaves(k)
	r := route{kind: k.kind, from: k.from, to: -1, message: k.arrow, label: k.label}
	r.lx = out.x + (len(out.left)+1)*trackW + out.labels/2
	r.ly = start.y - 2 - len(k.label)*labelLineH/2
	if k.lane == k.fromLane { // right behind the corner
		r.lx += (textW(widest(k.label), labelSize) - out.labels) / 2
	}
	if k.kind != taken {
		end := point{d.lanes[k.lane].x0, start.y}
		if k.lane == k.fromLane {
			end.x = track
		}
		r.points = []point{start, end}
		d.routes = append(d.routes, r)
		return
	}
	from := []point{start, {track, start.y}}
	for i, s := range k.takers {
		to := d.boxes[s].area
		end := point{to.x, to.y + k.entries[i]}
		if k.lane <= k.fromLane {
			end.x += to.w
		}
		corner := point{track, end.y}
		r.to, r.points = s, append(slices.Clone(from), corner, end)
		d.routes = append(d.routes, r)
		// The next taker's line goes on where this one turned off.
		from, r.label = []point{corner}, nil
	}
}

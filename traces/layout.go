package traces

import "mc/model"

// picture is a trace laid out as a sequence chart: a lane for each component,
// time downwards, one step in each row. All lengths are in points, x to the
// right and y downwards from the top left. It decides every place itself, in
// whole numbers, so that a picture does not depend on a layout engine's
// version and looks alike in every format.
//
// Between two lanes lies a gutter. A message leaves its step sideways, runs
// along its row, where no other step stands, to the gutter next to the lane of
// its taker, down a track of that gutter, and into the taker's side. So no
// message crosses a step, and every crossing is at a right angle.
type picture struct {
	w, h   int
	title  []string // the first line is the headline
	titleH int
	lanes  []laneBox
	boxes  []*box // Steps[i] is boxes[i]; a note on its end may follow
	routes []route
	loop   *loopArea
	foot   bool // the names of the lanes are repeated below
}

type area struct{ x, y, w, h int }

// loopArea is behind the steps that repeat for ever.
type loopArea struct {
	area
	label []string
	mark  mark
}

// laneBox is the head of a lane. Its line goes down from there.
type laneBox struct {
	area
	name string
	x0   int // of the line
	y1   int // its end
}

// Sizes. Text is monospaced, at the size of fontSize, unless said otherwise.
const (
	fontSize   = 10
	lineH      = 12
	pad        = 5  // inside a box
	gapY       = 16 // between rows
	trackW     = 10
	labelSize  = 9
	labelLineH = 11
	labelCols  = 22 // at which labels are wrapped
	minGutter  = 30
	margin     = 12
	arrivalH   = 13 // between two messages that arrive on one side
	laneSize   = 11
	laneCols   = 48 // of the name of a lane; the rest is left out
	titleSize  = 13
	titleLineH = 18
)

// textW is the width of n columns at a size: a monospaced font has 0.602 of
// its size at most.
func textW(cols, size int) int { return (cols*size*61 + 99) / 100 }

func widest(lines []string) (n int) {
	for _, l := range lines {
		n = max(n, columns(l))
	}
	return n
}

// drawing is a picture while it is laid out.
type drawing struct {
	picture
	trace   *model.Trace
	chart   *chart
	trunks  []*trunk
	laneW   []int
	gutters []gutter // right of each lane
}

// pictureOf lays a trace out.
func pictureOf(t *model.Trace) *picture {
	d := &drawing{trace: t, chart: chartOf(t)}
	d.fill()
	d.connect()
	d.columns()
	d.rows()
	d.route()
	return &d.picture
}

// columns decides the widths of lanes and gutters, and every x.
func (d *drawing) columns() {
	d.laneW = make([]int, len(d.chart.lanes))
	d.gutters = make([]gutter, len(d.chart.lanes))
	names := make([]string, len(d.chart.lanes))
	for i, name := range d.chart.lanes {
		names[i] = few(wrap(plain(name), laneCols), 1)[0]
		d.laneW[i] = textW(columns(names[i]), laneSize) + 4*pad
	}
	for _, b := range d.boxes {
		if b.lane >= 0 {
			d.laneW[b.lane] = max(d.laneW[b.lane], b.textW())
		}
	}
	d.tracks()
	left := margin
	if d.loop != nil {
		left += 3 * trackW
	}
	x := left
	for i, name := range names {
		l := laneBox{name: name, area: area{x: x, w: d.laneW[i]}}
		l.x0 = x + d.laneW[i]/2
		d.lanes = append(d.lanes, l)
		x += d.laneW[i]
		d.gutters[i].x = x
		if i < len(d.chart.lanes)-1 || len(d.gutters[i].left) > 0 {
			x += d.gutters[i].width()
		}
	}
	d.boxes[0].body = initial(d.trace.Steps[0].Fields, max(leastNoteCols, (x-left-2*pad)*100/(61*fontSize)))
	right := x
	for _, b := range d.boxes {
		if b.lane < 0 {
			right = max(right, left+b.textW())
		}
	}
	for _, b := range d.boxes {
		if b.lane < 0 {
			b.x, b.w = left, right-left
		} else {
			b.x, b.w = d.lanes[b.lane].x, d.laneW[b.lane]
		}
	}
	if d.loop != nil {
		right = max(right+trackW, left+textW(widest(d.loop.label), fontSize))
	}
	d.w = margin + max(right, margin+textW(widest(d.title[1:]), fontSize), margin+textW(widest(d.title[:1]), titleSize))
}

// rows decides every y.
func (d *drawing) rows() {
	d.titleH = len(d.title)*lineH + titleLineH - lineH + 2*pad
	y := margin + d.titleH + gapY/2
	for i := range d.lanes {
		d.lanes[i].y, d.lanes[i].h = y, 2*pad+14
	}
	if len(d.lanes) > 0 {
		y += d.lanes[0].h + gapY
	}
	for i, b := range d.boxes {
		if d.loop != nil && i == d.trace.Loop+1 {
			d.loop.y = y
			y += len(d.loop.label)*lineH + 2*pad
		}
		b.y = y
		b.h = 2
		for _, part := range [][]string{b.head, b.doc, b.body, b.foot} {
			b.h += partH(part)
		}
		b.h = max(b.h, b.left.used+pad, b.right.used+pad)
		y += b.h + gapY
	}
	if d.loop != nil {
		d.loop.x, d.loop.w, d.loop.h = margin/2, d.w-margin, y-gapY/2-d.loop.y
		y += gapY / 2
	}
	for i := range d.lanes {
		d.lanes[i].y1 = y
	}
	if d.foot = len(d.boxes) > 10; d.foot && len(d.lanes) > 0 {
		y += d.lanes[0].h
	}
	d.h = y + margin
}

package main

import (
	"bytes"
	"fmt"
	"math"
	"time"
)

func elapsed(do func()) float64 {
	start := time.Now()
	do()
	return float64(time.Since(start).Nanoseconds())
}

const (
	width, height                   = 720, 400
	left, right, top, bottom        = 60, 150, 30, 50
	style                           = `text{font:13px sans-serif;fill:#333}.axis{stroke:#999}.grid{stroke:#ddd}@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}}`
	oneColour, twoColour, memColour = "#0b6e99", "#d9730d", "#888"
)

// draw is a picture of the points: states to the right on a logarithmic scale,
// time upwards.
func draw(points []point) []byte {
	var b bytes.Buffer
	highest := 10.0
	for _, p := range points {
		highest = max(highest, p.wall[0], p.limit)
	}
	highest = math.Ceil(highest/20) * 20
	first, last := math.Log10(points[0].states), math.Log10(points[len(points)-1].states)
	x := func(states float64) float64 {
		return left + (width-left-right)*(math.Log10(states)-first)/max(last-first, 1e-9)
	}
	y := func(ns float64) float64 { return height - bottom - (height-top-bottom)*ns/highest }
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img"><title>Time for each generated state as the space grows</title><style>%s</style>`+"\n", width, height, style)
	for ns := 0.0; ns <= highest; ns += highest / 4 {
		fmt.Fprintf(&b, `<path class="grid" d="M%d %.1fH%d"/><text x="%d" y="%.1f" text-anchor="end">%.0f ns</text>`+"\n", left, y(ns), width-right, left-8, y(ns)+4, ns)
	}
	for e := math.Ceil(first); e <= last+0.01; e++ {
		at := x(math.Pow(10, e))
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f %dV%d"/><text x="%.1f" y="%d" text-anchor="middle">10<tspan dy="-5" font-size="10">%.0f</tspan></text>`+"\n", at, top, height-bottom, at, height-bottom+20, e)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">distinct states</text><text x="%d" y="18">per generated state</text>`+"\n", (left+width-right)/2, height-10, left)
	line := func(name, colour, dash string, of func(point) float64) {
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s" points="`, colour, dash)
		for _, p := range points {
			fmt.Fprintf(&b, "%.1f,%.1f ", x(p.states), y(of(p)))
		}
		end := points[len(points)-1]
		fmt.Fprintf(&b, `"/><text x="%d" y="%.1f" style="fill:%s">%s</text>`+"\n", width-right+8, y(of(end))+4, colour, name)
	}
	line("1 worker", oneColour, "", func(p point) float64 { return p.wall[0] })
	line("2 workers", twoColour, "", func(p point) float64 { return p.wall[1] })
	line("one random read", memColour, "5 4", func(p point) float64 { return p.limit })
	b.WriteString("</svg>\n")
	return b.Bytes()
}

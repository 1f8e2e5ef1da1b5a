package traces

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/emicklei/dot"

	"mc/model"
)

// StateGraph is a small state space to be drawn.
type StateGraph struct {
	Spec, Bug string
	Config    model.Configuration
	Merged    []string // the fields by which states were merged, if they were
	Note      string   // on the states that were searched
	Nodes     []StateNode
	Arcs      []StateArc
}

// StateNode is a state, or several that were merged.
type StateNode struct {
	Fields                           []model.Field
	States                           int // 1 if none was merged
	Initial, Terminal, Deadlock, Cut bool
	Violates, Reaches                []string // properties
}

// StateArc is the steps from one node to another.
type StateArc struct {
	From, To int      // indices of nodes
	Steps    []string // actions or instances
	Violates []string // step invariants
}

// Dot is the graph for Graphviz, whose program dot lays it out. A node names
// the fields that are not the same in all.
func (g *StateGraph) Dot() string {
	d := dot.NewGraph(dot.Directed)
	d.Attrs("bgcolor", "white", "fontname", font, "fontsize", fontSize, "labelloc", "t", "labeljust", "l", "nodesep", "0.3", "ranksep", "0.4",
		"label", g.caption())
	varies := g.varying()
	nodes := make([]dot.Node, len(g.Nodes))
	for i := range g.Nodes {
		nodes[i] = d.Node(fmt.Sprintf("s%06d", i))
		n := &g.Nodes[i]
		fill, border, colour := "white", "1", ink
		switch {
		case len(n.Violates) > 0:
			fill, border, colour = "#fbe3e4", "3", red
		case len(n.Reaches) > 0:
			fill, border, colour = "#e1ecf7", "3", blue
		}
		style := "filled"
		switch {
		case n.Deadlock:
			style, border = "filled,bold", "3"
		case n.Cut:
			style = "filled,dashed"
		}
		nodes[i].Attrs("shape", "box", "style", style, "fillcolor", fill, "color", colour, "penwidth", border, "fontname", font, "fontsize", fontSize,
			"margin", "0.08,0.05", "label", n.label(varies))
		if n.Terminal || n.Deadlock {
			nodes[i].Attrs("peripheries", "2")
		}
		if n.Initial {
			start := d.Node(fmt.Sprintf("i%06d", i))
			start.Attrs("shape", "point", "width", "0.12", "color", ink)
			d.Edge(start, nodes[i]).Attrs("color", ink, "penwidth", "2")
		}
	}
	for _, a := range g.Arcs {
		e := d.Edge(nodes[a.From], nodes[a.To])
		colour := grey
		lines := slices.Clone(a.Steps)
		if len(a.Violates) > 0 {
			colour = red
			for _, p := range a.Violates {
				lines = append(lines, "✗ "+p)
			}
		}
		e.Attrs("color", colour, "fontcolor", ink, "fontname", font, "fontsize", labelSize, "arrowsize", "0.7",
			"label", dot.HTML(arcLabel(lines)))
	}
	return d.String()
}

func arcLabel(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(text(plain(l)) + "<BR/>")
	}
	return strings.TrimSuffix(b.String(), "<BR/>")
}

// leftLines are lines of an HTML label in a colour, which begin at its left.
func leftLines(lines []string, colour string) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, `<FONT COLOR="%s">%s</FONT><BR ALIGN="LEFT"/>`, colour, text(plain(l)))
	}
	return b.String()
}

// captionWidth is that of the lines of the caption, in characters.
const captionWidth = 80

// caption says what is drawn, and how to read it.
func (g *StateGraph) caption() dot.HTML {
	lines := []string{g.Note}
	if len(g.Merged) > 0 {
		lines = append(lines, wrap("one box for all states that agree in "+strings.Join(g.Merged, ", ")+
			"; it is marked if one of them is; steps within it are left out", captionWidth)...)
	}
	if same := g.constant(); len(same) > 0 {
		lines = append(lines, wrap("the same everywhere: "+strings.Join(same, ", "), captionWidth)...)
	}
	var legend []string
	has := func(f func(n *StateNode) bool, text string) {
		for i := range g.Nodes {
			if f(&g.Nodes[i]) {
				legend = append(legend, text)
				return
			}
		}
	}
	has(func(n *StateNode) bool { return n.Initial }, "● → initial")
	has(func(n *StateNode) bool { return n.Terminal }, "double border: the end")
	has(func(n *StateNode) bool { return n.Deadlock }, "thick double border: no step leads out")
	has(func(n *StateNode) bool { return n.Cut }, "dashed: cut by the bound")
	has(func(n *StateNode) bool { return len(n.Violates) > 0 }, "red ✗: violates")
	has(func(n *StateNode) bool { return len(n.Reaches) > 0 }, "blue ✓: reaches")
	if len(legend) > 0 {
		lines = append(lines, strings.Join(legend, "   "))
	}
	title := `<FONT POINT-SIZE="14"><B>` + text(plain(selection(g.Spec, g.Bug, g.Config))) + `</B></FONT><BR ALIGN="LEFT"/>`
	return dot.HTML(title + leftLines(lines, grey))
}

// varying are the fields that are not the same in all nodes.
func (g *StateGraph) varying() map[string]bool {
	varies := map[string]bool{}
	for i := range g.Nodes {
		for j, f := range g.Nodes[i].Fields {
			if f.Value != g.Nodes[0].Fields[j].Value {
				varies[f.Name] = true
			}
		}
	}
	return varies
}

// constant are the fields that are, with their values; those that are zero or
// empty are left out.
func (g *StateGraph) constant() (same []string) {
	varies := g.varying()
	if len(g.Nodes) < 2 {
		return nil
	}
	for _, c := range gather(compare(nil, g.Nodes[0].Fields)) {
		if !varies[c.name] && !slices.Contains(unremarkable, c.to) && !strings.Contains(c.name, ",") {
			same = append(same, c.name+" "+c.to)
		}
	}
	return same
}

func (n *StateNode) label(varies map[string]bool) dot.HTML {
	var lines []string
	for _, f := range n.Fields {
		if len(varies) == 0 || varies[f.Name] {
			lines = append(lines, f.Name+" "+value(f.Value))
		}
	}
	s := leftLines(lines, ink)
	if n.States > 1 {
		s += leftLines([]string{count(uint64(n.States), "state")}, grey)
	}
	if n.Deadlock {
		s += leftLines([]string{"no step leads out"}, ink)
	}
	for _, p := range n.Violates {
		s += leftLines([]string{"✗ " + p}, red)
	}
	for _, p := range n.Reaches {
		s += leftLines([]string{"✓ " + p}, blue)
	}
	return dot.HTML(s)
}

// Draw writes the graph in a format of Graphviz: dot itself, svg or png.
func (g *StateGraph) Draw(w io.Writer, format string) error {
	if format == "dot" {
		_, err := io.WriteString(w, g.Dot())
		return err
	}
	return drawByGraphviz(w, g.Dot(), "-T"+format)
}

// GraphFormats are those that Draw knows, and what is missing for one, if
// something is.
func GraphFormats(format string) (all []string, missing error) {
	all = []string{"dot", "svg", "png"}
	if (format == "svg" || format == "png") && needGraphviz() != nil {
		missing = errors.New("want Graphviz, whose program dot is not installed; dot needs none")
	}
	return all, missing
}

package traces

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"mc/model"
)

// maxHTML bounds a page: what does not fit is left out, and the page says so.
const maxHTML = 1_000_000

// HTML writes a document as one page that needs nothing else: no network, and no
// scripts to be read or printed. It has a table of all verdicts, every behaviour
// as a picture, as steps and as a grid of properties, and what was searched.
func HTML(w io.Writer, d *Document, c *Choice) error {
	p := &htmlPage{spare: maxHTML}
	chosen := map[*model.Trace]bool{}
	for _, runs := range BySpec(d.Runs) {
		shown, _ := c.Of(runs)
		for _, b := range shown {
			chosen[b.Trace] = true
		}
	}
	for i := range d.Runs {
		r := &d.Runs[i]
		for _, b := range behaviours(d.Runs[i:i+1], properties(d.Runs[i:i+1])) {
			p.behaviours = append(p.behaviours, &htmlBehaviour{Behaviour: b, run: r, chosen: chosen[b.Trace]})
		}
	}
	p.Title, p.Tally = titleOf(d), tallyOf(d.Runs)
	if len(d.Claims) > 0 {
		p.Tally = tallyOfClaims(d.Claims)
	}
	return p.write(w, d)
}

// htmlOne writes a page of one behaviour, which no search of ours has found.
func htmlOne(w io.Writer, b *Behaviour, _ TextOptions) error {
	p := &htmlPage{spare: maxHTML, Title: b.Title(), behaviours: []*htmlBehaviour{{Behaviour: *b, chosen: true}}}
	return p.write(w, &Document{})
}

// htmlPage is what the template of a page shows.
type htmlPage struct {
	Title  string
	Tally  []htmlMark
	Policy string
	Style  template.CSS
	Script template.JS
	Tables template.HTML
	Shown  []template.HTML // behaviours
	Runs   []template.HTML
	Notes  []string // what is left out

	behaviours []*htmlBehaviour
	spare      int // bytes
}

// htmlMark is a text with its sign and the class of its colour.
type htmlMark struct{ Class, Sign, Text string }

//go:embed html/page.html html/page.css html/page.js
var htmlFiles embed.FS

// htmlParts are the templates, parsed when the first page is written and not
// whenever mc starts.
var htmlParts = sync.OnceValue(func() *template.Template {
	funcs := template.FuncMap{"p": func(s string) string { return htmlText(s, mostShown) }}
	return template.Must(template.New("").Funcs(funcs).ParseFS(htmlFiles, "html/page.html"))
})

// mostShown is how many characters are shown of one text.
const mostShown = 2000

// htmlText is a text as a page shows it. Templates escape it, and this does for
// the characters that they let through.
func htmlText(s string, most int) string { return shorten(plain(s), most) }

func (p *htmlPage) write(w io.Writer, d *Document) error {
	css, err := htmlFiles.ReadFile("html/page.css")
	if err != nil {
		return err
	}
	js, err := htmlFiles.ReadFile("html/page.js")
	if err != nil {
		return err
	}
	// The colours of lanes are those of the picture. On paper they are the
	// light ones.
	picture := strings.ReplaceAll(svgStyle, "@media (", "@media screen and (")
	p.Style = template.CSS(strings.Replace(string(css), "/* picture */", picture, 1))
	p.Script = template.JS(js)
	p.Policy = "default-src 'none'; style-src " + hashOf(string(p.Style)) + "; script-src " + hashOf(string(p.Script)) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
	if err := p.choose(d); err != nil {
		return err
	}
	return htmlParts().ExecuteTemplate(w, "page", p)
}

// hashOf lets a browser execute this text, and nothing else.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// choose renders the parts that fit into the page: the table of verdicts or
// claims, the behaviours that other formats show, what was searched, the other
// counterexamples, and witnesses.
func (p *htmlPage) choose(d *Document) error {
	const frame, note = 4096, 256 // what the page has besides its parts
	p.spare -= frame + len(p.Style) + len(p.Script)

	// The table is rendered again below, with links to what fits.
	links := map[*model.Trace]string{}
	for i, b := range p.behaviours {
		b.ID = fmt.Sprintf("b%d", i+1)
		b.link(links)
	}
	table, all, noun := searchTables, len(d.Runs), "search"
	if len(d.Claims) > 0 {
		table, all, noun = claims, len(d.Claims), "claim"
	}
	rows := all
	for ; ; rows /= 2 {
		text, err := table(d, rows, links)
		if err != nil {
			return err
		}
		if len(text) < p.spare/2 || rows == 0 {
			p.spare -= len(text) + note
			break
		}
	}
	p.leave(all-rows, noun, "narrow them with --spec")

	order := slices.Clone(p.behaviours)
	slices.SortStableFunc(order, func(a, b *htmlBehaviour) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(len(a.Steps), len(b.Steps)))
	})
	others := slices.IndexFunc(order, func(b *htmlBehaviour) bool { return !b.chosen })
	if others < 0 {
		others = len(order)
	}
	if err := p.fitAll(order[:others]); err != nil {
		return err
	}
	if err := p.searches(d.Runs); err != nil {
		return err
	}
	if err := p.fitAll(order[others:]); err != nil {
		return err
	}

	links = map[*model.Trace]string{}
	for _, b := range p.behaviours {
		if b.text != "" {
			b.link(links)
			p.Shown = append(p.Shown, b.text)
		}
	}
	p.leave(len(p.behaviours)-len(p.Shown), "behaviour", "choose with --spec, --scenario and --property")
	var err error
	p.Tables, err = table(d, rows, links)
	return err
}

// leave notes that n of something are not on the page.
func (p *htmlPage) leave(n int, noun, how string) {
	if n > 0 {
		noun = strings.Replace(count(uint64(n), noun), "searchs", "searches", 1)
		p.Notes = append(p.Notes, noun+" left out, for the page would be larger than 1 MB: "+how+".")
	}
}

// fitAll renders the behaviours that there is space for.
func (p *htmlPage) fitAll(list []*htmlBehaviour) error {
	const least = 4096 // bytes of a behaviour, about
	for _, b := range list {
		if p.spare < least {
			return nil
		}
		if err := p.fit(b); err != nil {
			return err
		}
	}
	return nil
}

// fit renders a behaviour as fully as there is space, if it fits at all.
func (p *htmlPage) fit(b *htmlBehaviour) error {
	for _, much := range []htmlDetail{{true, 0, mostShown}, {false, 0, mostShown}, {false, 200, 500}, {false, 40, 200}, {false, 10, 60}} {
		if !b.chosen && much.steps > 0 {
			break // others are shown whole or not
		}
		b.fill(much)
		text, err := render("behaviour", b)
		if err != nil {
			return err
		}
		if len(text) <= p.spare {
			p.spare -= len(text)
			b.text = text
			return nil
		}
	}
	return nil
}

func render(part string, of any) (template.HTML, error) {
	var b bytes.Buffer
	err := htmlParts().ExecuteTemplate(&b, part, of)
	return template.HTML(b.String()), err
}

// titleOf names a document.
func titleOf(d *Document) string {
	specs := BySpec(d.Runs)
	what := count(uint64(len(d.Runs)), "search")
	if len(d.Claims) > 0 {
		what = count(uint64(len(d.Claims)), "claim")
	}
	what = strings.Replace(what, "searchs", "searches", 1)
	switch {
	case len(d.Claims) == 0 && len(d.Runs) == 1:
		return selection(d.Runs[0].Spec, d.Runs[0].Bug, d.Runs[0].Config)
	case len(specs) == 1:
		return strings.TrimSuffix(d.Runs[0].Spec+" ("+d.Runs[0].Bug, " (") + map[bool]string{true: ")"}[d.Runs[0].Bug != ""] + " · " + what
	}
	return fmt.Sprintf("%s of %s", what, count(uint64(len(specs)), "spec"))
}

// tallyOf counts verdicts, the bad ones first.
func tallyOf(runs []Run) (marks []htmlMark) {
	count, faults := map[model.Verdict]int{}, 0
	for _, r := range runs {
		for _, res := range r.Results {
			count[res.Verdict]++
		}
		if r.Fault != nil {
			faults++
		}
	}
	if faults > 0 {
		marks = append(marks, htmlMark{"bad", "✗", fmt.Sprintf("%d at fault", faults)})
	}
	for _, v := range []model.Verdict{model.Violated, model.Unreachable, model.Incomplete, model.Holds, model.Reached} {
		if n := count[v]; n > 0 {
			word := string(v)
			if v == model.Holds && n > 1 {
				word = "hold"
			}
			sign, _ := verdictStyle(v)
			marks = append(marks, htmlMark{verdictClass(v), sign, fmt.Sprintf("%d %s", n, word)})
		}
	}
	return marks
}

// verdictClass is the colour of a verdict.
func verdictClass(v model.Verdict) string {
	switch v {
	case model.Holds, model.Reached:
		return "good"
	case model.Violated, model.Unreachable:
		return "bad"
	}
	return "open"
}

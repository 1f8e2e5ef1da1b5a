package traces

import (
	"html/template"

	"mc/model"
)

// htmlClaim is a claim and what came out in each of its cases.
type htmlClaim struct {
	*Claim
	Rows []htmlCase
}

type htmlCase struct {
	*Case
	Cells []htmlCell
}

// claims are those of a document, by their specs.
func claims(d *Document, n int, links map[*model.Trace]string) (all template.HTML, err error) {
	type spec struct {
		Name, Bug string
		Claims    []htmlClaim
	}
	var specs []spec
	for i := range d.Claims[:n] {
		c := &d.Claims[i]
		if i == 0 || d.Claims[i-1].Spec != c.Spec {
			specs = append(specs, spec{Name: c.Spec, Bug: c.Bug})
		}
		h := htmlClaim{Claim: c}
		for j := range c.Cases {
			row := htmlCase{Case: &c.Cases[j]}
			for _, v := range row.Verdicts {
				row.Cells = append(row.Cells, checkedCell(d, row.Case, v, links))
			}
			h.Rows = append(h.Rows, row)
		}
		last := &specs[len(specs)-1]
		last.Claims = append(last.Claims, h)
	}
	for _, s := range specs {
		text, err := render("claims", s)
		if err != nil {
			return "", err
		}
		all += text
	}
	return all, nil
}

// checkedCell is a verdict: as expected, or what came out instead.
func checkedCell(d *Document, c *Case, v Checked, links map[*model.Trace]string) htmlCell {
	mark := outcomeMark(v.Outcome)
	cell := htmlCell{Class: mark.Class, Sign: mark.Sign, Text: v.Text, Title: string(v.Outcome)}
	if v.Property == "" {
		return cell
	}
	cell.Text = v.Property + " " + string(v.Expected)
	switch v.Outcome {
	case Differs, Known:
		cell.Text = v.Property + " " + string(v.Found) + ", expected " + string(v.Expected)
	case Open, Skipped:
		cell.Text += ": " + string(v.Outcome)
	}
	if c.Run != nil {
		if r := d.Runs[*c.Run].result(v.Property); r != nil && r.Trace != nil {
			cell.Link = links[r.Trace]
		}
	}
	return cell
}

// outcomeMark is how an outcome looks. What is known to differ is in view and no
// alarm.
func outcomeMark(o Outcome) htmlMark {
	switch o {
	case Agrees:
		return htmlMark{Class: "good", Sign: "✓"}
	case Differs:
		return htmlMark{Class: "bad", Sign: "✗"}
	case Known:
		return htmlMark{Class: "open", Sign: "~"}
	}
	return htmlMark{Class: "fine", Sign: "?"}
}

// tallyOfClaims counts outcomes, those to look at first.
func tallyOfClaims(all []Claim) (marks []htmlMark) {
	counts := map[Outcome]uint64{}
	for _, c := range all {
		for _, k := range c.Cases {
			for _, v := range k.Verdicts {
				counts[v.Outcome]++
			}
		}
	}
	words := map[Outcome]string{Agrees: "as expected", Differs: "came out differently", Known: string(Known), Open: string(Open), Skipped: string(Skipped)}
	for _, o := range []Outcome{Differs, Open, Known, Skipped, Agrees} {
		if n := counts[o]; n > 0 {
			m := outcomeMark(o)
			m.Text = commas(n) + " " + words[o]
			marks = append(marks, m)
		}
	}
	return marks
}

package cli

import (
	"bytes"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"mc/traces"
)

// githubFlag turns off what mc does by itself where GitHub Actions runs it.
func (a *app) githubFlag(f *pflag.FlagSet) {
	f.BoolVar(&a.github, "github", true, "annotate, summarize in GitHub Actions")
}

// tellGitHub annotates what is wrong and adds to the summary of the step, if
// this is GitHub Actions. The annotations go to standard error, where GitHub
// reads them as well, so that standard output may be a document. That the
// summary cannot be written changes no verdict: it is told, and that is all.
func (a *app) tellGitHub(doc *traces.Document, c traces.Choice, files outputs) {
	if !a.github || os.Getenv("GITHUB_ACTIONS") != "true" {
		return
	}
	if !slices.ContainsFunc(files, func(o out) bool { return o.format.Name == "github" && o.file == nil }) {
		_ = traces.GitHub(a.err, doc, &c)
	}
	if path := os.Getenv("GITHUB_STEP_SUMMARY"); path != "" {
		if err := addSummary(path, doc, &c); err != nil {
			a.note("GITHUB_STEP_SUMMARY %s: %v", path, cause(err))
		}
	}
}

// addSummary appends to the summary of a step, as much as there is room for.
func addSummary(path string, doc *traces.Document, c *traces.Choice) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if info.Size() > 0 {
		b.WriteString("\n")
	}
	room := traces.SummaryBytes - int(min(info.Size(), traces.SummaryBytes)) - b.Len()
	before := b.Len()
	if err := traces.StepSummary(&b, doc, c, room); err != nil || b.Len() == before {
		return err
	}
	if _, err := b.WriteTo(f); err != nil {
		return err
	}
	return f.Close()
}

package traces

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"mc/model"
)

// graphviz is the program that draws what Dot writes.
const graphviz = "dot"

func needGraphviz() error {
	if _, err := exec.LookPath(graphviz); err != nil {
		return errors.New("want Graphviz, whose program dot is not installed; svg needs none")
	}
	return nil
}

// PNG has Graphviz draw what Dot writes, at twice the usual resolution.
func PNG(w io.Writer, t *model.Trace) error {
	return drawByGraphviz(w, Dot(t), "-Tpng", "-Gdpi=144")
}

func drawByGraphviz(w io.Writer, graph string, how ...string) error {
	cmd := exec.Command(graphviz, how...)
	var out, complaint bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(graph), &out, &complaint
	if err := cmd.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		if first == "" {
			return fmt.Errorf("%s: %w", graphviz, err)
		}
		return fmt.Errorf("%s: %w: %s", graphviz, err, plain(first))
	}
	_, err := out.WriteTo(w)
	return err
}

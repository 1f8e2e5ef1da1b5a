package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"mc/model"
)

// configFile is read in the working folder: its keys are the flags of the
// commands that search, or the names of these commands, with flags below them.
const configFile = "mc.yaml"

// variable is the name of the environment variable that stands for a flag.
func variable(flag string) string {
	return "MC_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// foreign are the variables of two other programs that are called mc and leave
// them to every process that they start: GNU Midnight Commander and the client
// of MinIO.
var foreign = regexp.MustCompile(`^MC_(SID|TMPDIR|DATADIR|HOME|PROFILE_ROOT|CONTROL_(FILE|PID)|(HOST|STS|CONFIG)_.*|CONFIG|CONFIG_DIR)$`)

// preset is what a place other than the command line gives to a flag.
type preset struct {
	values []string // each a call of the flag's Set
	origin string   // "mc.yaml:3", "MC_WORKERS"
}

// presets are by the command's name, empty for all of them, and the flag's.
type presets map[[2]string]preset

// searching are the commands that can be configured: those that search.
func searching(root *cobra.Command) (found []*cobra.Command) {
	for _, c := range root.Commands() {
		if c.Flags().Lookup("workers") != nil {
			found = append(found, c)
		}
	}
	return found
}

// configurable are the names of a command's flags that can be configured.
func configurable(c *cobra.Command) (names []string) {
	see := func(f *pflag.Flag) {
		if f.Name != "help" && !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	c.Flags().VisitAll(see)
	c.InheritedFlags().VisitAll(see)
	return names
}

// configured makes the commands that search take the flags that are not given
// from the environment, and then from the file.
func (a *app) configured(root *cobra.Command) {
	for _, c := range searching(root) {
		run := c.RunE
		c.RunE = func(c *cobra.Command, args []string) error {
			a.preset(root, c)
			return a.blame(run(c, args))
		}
	}
}

// preset sets the flags of c that are not given, and remembers who did.
func (a *app) preset(root, c *cobra.Command) {
	found := presets{}
	a.readEnvironment(root, os.Environ(), found)
	a.readFile(root, found)
	a.origins = map[string]string{}
	for _, name := range configurable(c) {
		f := c.Flags().Lookup(name)
		if f.Changed {
			continue
		}
		for _, key := range [][2]string{{"env", name}, {c.Name(), name}, {"", name}} {
			p, ok := found[key]
			if !ok {
				continue
			}
			a.origins[name] = p.origin
			for _, v := range p.values {
				if err := c.Flags().Set(name, v); err != nil {
					a.mistakef("%s: --%s=%s: want true or false", p.origin, name, v) // no other type fails
				}
			}
			break
		}
	}
}

// blame puts the place in front of a mistake in a flag that was not given on
// the command line.
func (a *app) blame(err error) error {
	if err == nil {
		return nil
	}
	errs := leaves(err)
	for i, one := range errs {
		text, _, _ := strings.Cut(one.Error(), "; ") // what follows is what would be right
		for _, part := range strings.Fields(text) {
			flag, long := strings.CutPrefix(part, "--")
			flag, _, _ = strings.Cut(strings.TrimRight(flag, ":;,"), "=")
			if origin := a.origins[flag]; long && origin != "" && !strings.HasPrefix(text, origin+":") {
				errs[i] = fmt.Errorf("%s: %w", origin, one)
				break
			}
		}
	}
	return errors.Join(errs...)
}

// readEnvironment notes the variables that stand for no flag. An empty one is
// none.
func (a *app) readEnvironment(root *cobra.Command, environment []string, to presets) {
	flags, _ := keys(root)
	var have []string
	for _, name := range flags {
		have = append(have, variable(name))
	}
	slices.Sort(environment)
	for _, kv := range environment {
		name, value, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "MC_") || value == "" || foreign.MatchString(name) {
			continue
		}
		if i := slices.Index(have, name); i >= 0 {
			to[[2]string{"env", flags[i]}] = preset{[]string{value}, name}
		} else {
			a.mistake(&model.NameError{Flag: "environment:", Kind: "variable", Name: name, Have: have})
		}
	}
}

// keys are the flags that some command that searches has, and these commands.
func keys(root *cobra.Command) (flags, commands []string) {
	for _, c := range searching(root) {
		commands = append(commands, c.Name())
		flags = append(flags, configurable(c)...)
	}
	slices.Sort(flags)
	return slices.Compact(flags), commands
}

const maxConfig = 1 << 20 // bytes of mc.yaml

// readFile reads mc.yaml, if there is one, and notes what is wrong with it.
func (a *app) readFile(root *cobra.Command, to presets) {
	text, err := readText(configFile, maxConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		a.mistake(err)
		return
	}
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&doc); err != nil {
		if !errors.Is(err, io.EOF) { // nothing, or comments alone
			a.mistake(errors.New(yamlError(err)))
		}
		return
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		a.mistakef("%s: several documents; want one", configFile)
		return
	}
	flags, commands := keys(root)
	a.section(doc.Content[0], "", slices.Concat(flags, commands), func(key, value *yaml.Node) bool {
		// Lock is a flag as well, whose value is no mapping.
		if !slices.Contains(commands, key.Value) || value.Kind != yaml.MappingNode && slices.Contains(flags, key.Value) {
			return false
		}
		c, _, _ := root.Find([]string{key.Value})
		a.section(value, key.Value, configurable(c), func(*yaml.Node, *yaml.Node) bool { return false }, root, to)
		return true
	}, root, to)
}

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): (.*)`)

// yamlError is the first line of a mistake of syntax.
func yamlError(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	if m := yamlLine.FindStringSubmatch(first); m != nil {
		return fmt.Sprintf("%s:%s: not YAML: %s", configFile, m[1], m[2])
	}
	return configFile + ": not YAML: " + strings.TrimPrefix(first, "yaml: ")
}

// section reads a mapping of flags to values. Whatever other takes is no flag.
func (a *app) section(n *yaml.Node, command string, have []string, other func(key, value *yaml.Node) bool, root *cobra.Command, to presets) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		a.mistakef("%s: want flags and their values, such as timeout: 5m", at(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case seen[key.Value]:
			a.mistakef("%s: %s is given twice", at(key), printable(key.Value))
		case other(key, value):
		case !slices.Contains(have, key.Value):
			a.mistake(&model.NameError{Flag: at(key) + ":", Kind: "key", Name: printable(key.Value), Have: have})
		default:
			values, err := textsOf(key.Value, value, isList(root, key.Value))
			if err != nil {
				a.mistakef("%s: %s: %w", at(key), key.Value, err)
				break
			}
			to[[2]string{command, key.Value}] = preset{values, at(key)}
		}
		seen[key.Value] = true
	}
}

// printable is a key in one line.
func printable(key string) string {
	if q := strconv.Quote(key); q != `"`+key+`"` || key == "" {
		return q
	}
	return key
}

func at(n *yaml.Node) string { return fmt.Sprintf("%s:%d", configFile, n.Line) }

// isList says whether a flag takes several values.
func isList(root *cobra.Command, flag string) bool {
	for _, c := range searching(root) {
		if f := c.Flags().Lookup(flag); f != nil {
			switch f.Value.(type) {
			case *words, *texts:
				return true
			}
		}
	}
	return false
}

// textsOf are the texts that a flag's Set is to be called with. Scalars are
// taken as they are written, so that on is a name and 010 no other number.
func textsOf(flag string, n *yaml.Node, list bool) (texts []string, err error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag != "!!null":
		return []string{n.Value}, nil
	case n.Kind == yaml.ScalarNode:
		return nil, errors.New("want a value")
	case n.Kind == yaml.SequenceNode && list:
		for _, one := range n.Content {
			if one.Kind != yaml.ScalarNode {
				return nil, errors.New("want a list of plain values")
			}
			texts = append(texts, one.Value)
		}
		return texts, nil
	case n.Kind == yaml.MappingNode && flag == "set":
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Kind != yaml.ScalarNode || n.Content[i+1].Kind != yaml.ScalarNode {
				return nil, errors.New("want names and plain values")
			}
			texts = append(texts, n.Content[i].Value+"="+n.Content[i+1].Value)
		}
		return texts, nil
	case list:
		return nil, errors.New("want a value, or a list of values")
	}
	return nil, errors.New("want one value")
}

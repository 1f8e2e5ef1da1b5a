package traces

import (
	"slices"
	"strings"

	"mc/model"
)

// change is a field before and after a step, or several elements of an array
// that are alike in both: exists[c1, c2] from false to true.
type change struct {
	name     string
	from, to string
	changed  bool // from is not to; otherwise there is no from
}

// compare lists all fields of a state, with what they were before.
func compare(before, after []model.Field) []change {
	cs := make([]change, len(after))
	for i, f := range after {
		cs[i] = change{name: f.Name, to: f.Value}
		if i < len(before) && before[i] != f {
			cs[i].from, cs[i].changed = before[i].Value, true
		}
	}
	return cs
}

// changes are the fields in which a state differs from the one before.
func changes(before, after []model.Field) []change {
	cs := slices.DeleteFunc(compare(before, after), func(c change) bool { return !c.changed })
	return gather(cs)
}

// notable are the fields of an initial state that a reader would not guess,
// and the number of the others, which are zero, false or empty. A field that
// changes later is shown with its old value then.
func notable(fields []model.Field) (cs []change, others int) {
	cs = slices.DeleteFunc(compare(nil, fields), func(c change) bool {
		return slices.Contains(unremarkable, c.to)
	})
	others = len(fields) - len(cs)
	return gather(cs), others
}

// unremarkable are the values that a field has for want of another one. A
// trace does not know types, so the words are those that fmt and specs use.
var unremarkable = []string{"", "0", "false", "[]", "{}", "-", "none", "absent"}

// gather joins elements of one array that change alike, at the place of the
// first of them.
func gather(cs []change) []change {
	type key struct {
		array, rest, from, to string
		changed               bool
	}
	index := map[key]int{}
	var joined []change
	var indices [][]string
	var keys []key
	for _, c := range cs {
		array, tail, ok := strings.Cut(c.name, "[")
		i, rest, closed := strings.Cut(tail, "]")
		if !ok || !closed {
			joined, indices, keys = append(joined, c), append(indices, nil), append(keys, key{})
			continue
		}
		k := key{array, rest, c.from, c.to, c.changed}
		if at, ok := index[k]; ok {
			indices[at] = append(indices[at], i)
			continue
		}
		index[k] = len(joined)
		joined, indices, keys = append(joined, c), append(indices, []string{i}), append(keys, k)
	}
	for i, list := range indices {
		if len(list) > 1 {
			joined[i].name = keys[i].array + "[" + strings.Join(list, ", ") + "]" + keys[i].rest
		}
	}
	return joined
}

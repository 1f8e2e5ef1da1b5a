package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Trace is a behaviour as text: all that a person is shown of it, complete
// without the spec it came from.
type Trace struct {
	Spec     string        `json:"spec"`
	Config   Configuration `json:"config"`
	Property string        `json:"property"` // that it violates, or is a witness of
	Meaning  string        `json:"meaning,omitempty"`
	Kind     Kind          `json:"kind,omitempty"`
	Verdict  Verdict       `json:"verdict"`
	// Shortest says that no shorter behaviour shows this.
	Shortest bool        `json:"shortest,omitempty"`
	Lanes    []string    `json:"lanes"`
	Steps    []TraceStep `json:"steps"` // Steps[0] is the initial state
	Loop     int         `json:"loop"`  // as in Behaviour: the last step is back at Steps[Loop]; or -1
	Fault    string      `json:"fault,omitempty"`
	// Because are the steps without which it would not end like this.
	Because []Cause `json:"because,omitempty"`
	// Truths say what the steps do to each property of the spec.
	Truths []Truth `json:"truths,omitempty"`
}

// TraceStep is a step and the state it leads to.
type TraceStep struct {
	Instance
	Doc      string    `json:"doc,omitempty"`
	Lane     string    `json:"lane,omitempty"`
	Messages []Message `json:"messages,omitempty"`
	Fields   []Field   `json:"fields"`
	// Because are the earlier steps without which this one would not be
	// possible, or would do something else. Idle says that nothing follows from
	// it that what the trace shows would need.
	Because []Cause `json:"because,omitempty"`
	Idle    bool    `json:"idle,omitempty"`
	// Location is where the spec makes the action.
	Location Location `json:"location,omitzero"`
}

// Cause is an earlier step of a trace and those of the fields it wrote that are
// needed as it left them.
type Cause struct {
	Step   int      `json:"step"`
	Fields []string `json:"fields"`
}

// Field is a part of a state and its value.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Message is something that a step sends or takes. A message that is taken
// has the ID of one that was sent.
type Message struct {
	ID   string `json:"id"`
	To   string `json:"to,omitempty"`   // the lane it is for; empty when taken
	Text string `json:"text,omitempty"` // on the arrow
	// Call says that the message arrives in the step that sends it.
	Call bool `json:"call,omitempty"`
}

// Drawing is where a spec's Draw puts one step.
type Drawing struct {
	Action   string
	at       [3]int
	lane     string
	messages []Message
}

// Arg is the index, in the parameter's list of values, of the step's i-th
// argument.
func (d *Drawing) Arg(i int) int { return d.at[i] }

// On puts the step on a lane.
func (d *Drawing) On(lane string) *Drawing { d.lane = lane; return d }

// Send says that the step sends a message to a lane. The id is that of the
// message among those under way; text stands on its arrow.
func (d *Drawing) Send(id any, to, text string) *Drawing {
	d.messages = append(d.messages, Message{ID: spelled(fmt.Sprint(id)), To: to, Text: spelled(text)})
	return d
}

// Take says that the step takes the message last sent with this id.
func (d *Drawing) Take(id any) *Drawing {
	d.messages = append(d.messages, Message{ID: spelled(fmt.Sprint(id))})
	return d
}

// Call says that the step acts on another lane at once: an arrow across.
func (d *Drawing) Call(to, text string) *Drawing {
	d.messages = append(d.messages, Message{To: to, Text: spelled(text), Call: true})
	return d
}

// Trace renders a behaviour.
func (m *Machine) Trace(b *Behaviour) *Trace {
	t := &Trace{Spec: m.Name, Config: m.Config, Lanes: m.Lanes, Loop: b.Loop}
	if b.Fault != nil {
		t.Fault = b.Fault.Error()
	}
	for i, s := range b.States {
		step := TraceStep{Fields: m.Fields(s)}
		if i > 0 {
			l := b.Labels[i-1]
			action, at := m.locate(l)
			step.Instance, step.Doc = m.Instance(l), m.Actions[action].Doc
			step.Location = m.Actions[action].Location()
			step.Lane, step.Messages = m.draw(Drawing{Action: step.Action, at: at}, b.States[i-1], s)
		}
		t.Steps = append(t.Steps, step)
	}
	return t
}

// draw asks the spec where a step stands; a Draw that panics draws nothing.
func (m *Machine) draw(d Drawing, s, t []byte) (lane string, messages []Message) {
	if m.drawing == nil {
		return m.Lanes[0], nil
	}
	defer func() {
		if r := recover(); r != nil {
			lane, messages = "", nil
		}
	}()
	m.drawing(&d, slices.Clone(s), slices.Clone(t))
	return d.lane, d.messages
}

// spelled is text of a spec with the bytes that are no UTF-8 as \xff: JSON has
// no other way to keep them, and a saved trace is compared with what it came
// from.
func spelled(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// fieldInfo is one shown part of a state.
type fieldInfo struct {
	name   string
	offset uintptr
	typ    reflect.Type
}

// Fields are the parts of a state in order of declaration. Structs and arrays
// are taken apart, unless they have a String method.
//
// A tag index:"param" on an array names a parameter: its values name the
// elements, and elements beyond them are not shown. A tag show:"-" hides a
// field.
func (m *Machine) Fields(state []byte) []Field {
	aligned := m.bytesOf(unsafe.Pointer(unsafe.SliceData(state)))
	fields := make([]Field, len(m.fields))
	for i, f := range m.fields {
		v := reflect.NewAt(f.typ, unsafe.Pointer(&aligned[f.offset])).Elem()
		fields[i] = Field{f.name, spelled(fmt.Sprint(v.Interface()))}
	}
	return fields
}

// FieldNames are the names of the fields, in the order of Fields.
func (m *Machine) FieldNames() []string {
	names := make([]string, len(m.fields))
	for i, f := range m.fields {
		names[i] = f.name
	}
	return names
}

// FieldBytes is the i-th field of a state as it lies there.
func (m *Machine) FieldBytes(i int, state []byte) []byte {
	f := &m.fields[i]
	return state[f.offset : f.offset+f.typ.Size()]
}

func fieldsOf[S any](m *Machine) ([]fieldInfo, error) {
	var errs []error
	fields := m.walkFields(reflect.TypeFor[S](), "", 0, "", &errs)
	return fields, errors.Join(errs...)
}

var stringer = reflect.TypeFor[fmt.Stringer]()

func (m *Machine) walkFields(t reflect.Type, name string, offset uintptr, index string, errs *[]error) (fields []fieldInfo) {
	switch {
	case name != "" && t.Implements(stringer):
	case t.Kind() == reflect.Array:
		names := make([]string, t.Len())
		for i := range names {
			names[i] = fmt.Sprint(i)
		}
		if index != "" {
			d, ok := m.domain(index)
			if !ok {
				*errs = append(*errs, fmt.Errorf("state field %s: index:%q names no parameter of an action", name, index))
			} else {
				names = d.Values[:min(len(d.Values), t.Len())]
			}
		}
		for i, n := range names {
			fields = append(fields, m.walkFields(t.Elem(), name+"["+n+"]", offset+uintptr(i)*t.Elem().Size(), "", errs)...)
		}
		return fields
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" || f.Tag.Get("show") == "-" {
				continue
			}
			path := f.Name
			if name != "" && !f.Anonymous {
				path = name + "." + f.Name
			} else if f.Anonymous {
				path = name
			}
			fields = append(fields, m.walkFields(f.Type, path, offset+f.Offset, f.Tag.Get("index"), errs)...)
		}
		return fields
	}
	return []fieldInfo{{name, offset, t}}
}

// domain finds a parameter by its name, of whichever action has it.
func (m *Machine) domain(name string) (Domain, bool) {
	for _, a := range m.Actions {
		for _, p := range a.Params {
			if p.Name == name {
				return p, true
			}
		}
	}
	return Domain{}, false
}

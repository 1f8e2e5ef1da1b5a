package traces

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"mc/model"
)

// Encode writes a document as JSON, the same bytes for the same document. What
// is not printable is escaped, so that the file may be shown as it is.
func Encode(w io.Writer, d *Document) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d.filled()); err != nil {
		return err
	}
	_, err := w.Write(escaped(b.Bytes()))
	return err
}

// filled is d with empty lists for missing ones, which read as null.
func (d *Document) filled() *Document {
	f := *d
	f.Version = Version
	f.Runs = make([]Run, len(d.Runs))
	for i, r := range d.Runs {
		fill(&r.Config.Settings)
		fill(&r.Results)
		fill(&r.Actions)
		fill(&r.Levels)
		fill(&r.Fields)
		f.Runs[i] = r
	}
	return &f
}

func fill[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}

// escaped is JSON with \u for every character that is not printable. Those
// stand inside of strings, except for the line breaks.
func escaped(text []byte) []byte {
	var b []byte
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '\n' || !hidden(r):
			b = append(b, text[:n]...)
		case r >= 0x10000:
			r -= 0x10000
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
		text = text[n:]
	}
	return b
}

// MaxBytes bounds what is read. What it may become in memory is bounded by the
// objects in it: Encode writes more than 30 bytes for one, so that only files
// of others meet that bound.
const (
	MaxBytes   = 64 << 20
	maxObjects = MaxBytes / 30
)

// Decode reads what Encode wrote. Name is that of the file, for errors, which
// are one line each: name, then line and column where known, then what is
// wrong. A document that it returns is fit for everything in this package.
func Decode(r io.Reader, name string) (*Document, error) {
	text, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	return decode(text, plain(name))
}

// DecodeAny reads a document, or a trace in the Informal Trace Format.
func DecodeAny(r io.Reader, name string) (*Document, *model.Trace, error) {
	text, err := readAll(r, name)
	if err != nil {
		return nil, nil, err
	}
	var head struct {
		Version, States json.RawMessage
	}
	if json.Unmarshal(text, &head) == nil && head.Version == nil && head.States != nil {
		t, err := decodeITF(text, plain(name))
		return nil, t, err
	}
	d, err := decode(text, plain(name))
	return d, nil, err
}

func readAll(r io.Reader, name string) ([]byte, error) {
	name = plain(name)
	text, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(text) > MaxBytes:
		return nil, fmt.Errorf("%s: too large for a report of mc; want at most %d MB", name, MaxBytes>>20)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // some editors put it before UTF-8
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return nil, fmt.Errorf("%s: not a report of mc: want a JSON object", name)
	}
	return text, nil
}

func decode(text []byte, name string) (*Document, error) {
	if bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("null")) > maxObjects {
		return nil, fmt.Errorf("%s: too large for a report of mc; want at most %d objects", name, maxObjects)
	}
	// The version is read first and by itself: a newer document has fields
	// that are not known here, and its version is the better reason.
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, describe(err, name, text)
	}
	switch v := head.Version; {
	case v == nil:
		return nil, fmt.Errorf("%s: not a report of mc: it has no version", name)
	case *v > Version:
		return nil, fmt.Errorf("%s: version %d is newer than this mc, which reads %d", name, *v, Version)
	case *v < 1:
		return nil, fmt.Errorf("%s: version %d: want %d", name, *v, Version)
	}
	d := &Document{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(d); err != nil {
		return nil, describe(err, name, text)
	}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// describe says what is wrong with JSON, and where.
func describe(err error, name string, text []byte) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && strings.HasPrefix(err.Error(), "unexpected end"):
		return fmt.Errorf("%s: ends too early", place(name, text, syntax.Offset))
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: %s", place(name, text, syntax.Offset-1), plain(err.Error()))
	case errors.As(err, &kind):
		where := kind.Field
		if where == "" {
			where = "the document"
		}
		return fmt.Errorf("%s: %s is a JSON %s; want %s", place(name, text, kind.Offset-1), plain(where), plain(kind.Value), wanted(kind.Type.Kind().String()))
	}
	return fmt.Errorf("%s: %s", name, plain(strings.TrimPrefix(err.Error(), "json: ")))
}

// wanted is a kind of Go as a reader of JSON calls it.
func wanted(kind string) string {
	switch kind {
	case "struct", "ptr":
		return "an object"
	case "slice":
		return "an array"
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "float64":
		return "a number"
	}
	return "a whole number that fits"
}

// place is a file's name, line and column of a byte, all counted from 1.
func place(name string, text []byte, offset int64) string {
	before := text[:max(0, min(int(offset), len(text)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("%s:%d:%d", name, line, column)
}

package model

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

const wordBytes = 8

// maxStateBytes bounds a state type: larger ones are a mistake (an array
// meant to be a Seq with a smaller bound) far more often than a wish.
const maxStateBytes = 1 << 15

// layout says how a state type lies in memory.
type layout struct {
	size   int // unsafe.Sizeof the state, in bytes
	stride int // size rounded up to whole words, in bytes; at least one word
	pads   []pad
}

// pad marks, with zero bits in mask, the bytes of one word that belong to no
// field. The compiler may leave anything there, so they are cleared after
// every effect: equal states are equal bytes.
type pad struct {
	word int
	mask uint64
}

// layoutOf describes the state type t, or says, for every field that makes it
// unusable, which field and why.
func layoutOf(t reflect.Type) (layout, error) {
	var errs []error
	refuse(t, t.Name(), &errs)
	if err := errors.Join(errs...); err != nil {
		return layout{}, err
	}
	if t.Kind() != reflect.Struct {
		return layout{}, fmt.Errorf("state %s is %s; want a struct", t.Name(), t.Kind())
	}
	if t.Size() > maxStateBytes {
		return layout{}, fmt.Errorf("state %s has %d bytes; want at most %d", t.Name(), t.Size(), maxStateBytes)
	}
	l := layout{size: int(t.Size()), stride: wordBytes}
	if l.size > wordBytes {
		l.stride = (l.size + wordBytes - 1) / wordBytes * wordBytes
	}
	used := make([]byte, l.stride)
	markUsed(t, used)
	for i := l.size; i < l.stride; i++ {
		used[i] = 0xff // past the end: never written, so never dirty
	}
	for w := 0; w < l.stride/wordBytes; w++ {
		if mask := *(*uint64)(unsafe.Pointer(&used[w*wordBytes])); mask != ^uint64(0) {
			l.pads = append(l.pads, pad{w, mask})
		}
	}
	return l, nil
}

// refuse appends one error for each part of t that is not flat, canonical data.
func refuse(t reflect.Type, path string, errs *[]error) {
	switch t.Kind() {
	case reflect.Bool,
		reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
	case reflect.Array:
		refuse(t.Elem(), path+"[]", errs)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			refuse(f.Type, path+"."+f.Name, errs)
		}
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		*errs = append(*errs, fmt.Errorf(
			"state field %s: %s has the platform's size; want a sized integer such as %s8", path, t, t.Kind()))
	default:
		*errs = append(*errs, fmt.Errorf(
			"state field %s: %s is not allowed; want sized integers, booleans, arrays and structs of these", path, describeKind(t)))
	}
}

func describeKind(t reflect.Type) string {
	if k := t.Kind().String(); k != t.String() {
		return k + " (" + t.String() + ")"
	}
	return t.String()
}

// markUsed sets the bytes of used that belong to a field of t. Blank fields
// count as padding: Go's own == ignores them too.
func markUsed(t reflect.Type, used []byte) {
	switch t.Kind() {
	case reflect.Array:
		for i := range t.Len() {
			markUsed(t.Elem(), used[uintptr(i)*t.Elem().Size():])
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				markUsed(f.Type, used[f.Offset:])
			}
		}
	default:
		for i := range t.Size() {
			used[i] = 0xff
		}
	}
}

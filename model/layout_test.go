package model

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

func TestLayoutRefuses(t *testing.T) {
	type inner struct {
		Name string
		OK   bool
	}
	for _, c := range []struct {
		name  string
		state any
		want  []string // each in the error
	}{
		{"pointer", struct{ P *int8 }{}, []string{".P: ptr (*int8) is not allowed"}},
		{"slice", struct{ S []uint8 }{}, []string{".S: slice ([]uint8)"}},
		{"map", struct{ M map[uint8]uint8 }{}, []string{".M: map"}},
		{"string in array of structs", struct{ Log [3]inner }{}, []string{".Log[].Name: string is not allowed"}},
		{"func", struct{ F func() }{}, []string{".F: func"}},
		{"chan", struct{ C chan int }{}, []string{".C: chan"}},
		{"interface", struct{ I any }{}, []string{".I: interface"}},
		{"float", struct{ F float32 }{}, []string{".F: float32"}},
		{"complex", struct{ C complex64 }{}, []string{".C: complex64"}},
		{"platform sizes", struct {
			A int
			B uint
			C uintptr
		}{}, []string{".A: int has the platform's size; want a sized integer such as int8", ".B: uint has", ".C: uintptr has"}},
		{"unsafe pointer", struct{ U unsafe.Pointer }{}, []string{".U: unsafe.Pointer"}},
		{"not a struct", uint8(0), []string{"uint8; want a struct"}},
		{"too large", struct{ A [1 << 16]uint8 }{}, []string{"65536 bytes; want at most 32768"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := layoutOf(reflect.TypeOf(c.state))
			if err == nil {
				t.Fatal("got no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want it to contain %q", err, want)
				}
			}
		})
	}
}

func TestDefineNamesTheField(t *testing.T) {
	type Entry struct{ Who string }
	type State struct{ Log [2]Entry }
	e := Define("bad", "", func(*Config) *Spec[State] { return &Spec[State]{Init: []State{{}}} })
	_, err := e.Machine(Selection{})
	want := "bad: state field State.Log[].Who: string is not allowed; want sized integers, booleans, arrays and structs of these"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// padded has holes after A and C, between array elements, and a blank field.
type padded struct {
	A uint8
	B uint32
	C [2]struct {
		X uint16
		Y uint8
	}
	_ uint16
	D uint64
	E bool
}

// TestPaddingIsInvisible fills memory with ones, as if left by another
// state, and expects equal states to become equal bytes all the same.
func TestPaddingIsInvisible(t *testing.T) {
	dirty := func(fill byte) padded {
		var p padded
		b := unsafe.Slice((*byte)(unsafe.Pointer(&p)), unsafe.Sizeof(p))
		for i := range b {
			b[i] = fill
		}
		p.A, p.B, p.D, p.E = 1, 2, 3, true
		for i := range p.C {
			p.C[i].X, p.C[i].Y = 4, 5
		}
		return p
	}
	e := Define("padded", "", func(*Config) *Spec[padded] {
		n := byte(0)
		return &Spec[padded]{
			Init: []padded{dirty(0), dirty(0xff), dirty(0x55)},
			Actions: []Action[padded]{Act("Dirty", func(*padded) bool { return true }, func(p *padded) {
				n++
				*p = dirty(n)
				// A whole copy may take the padding along: make sure of it.
				d := dirty(n)
				copy(unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(d)), unsafe.Slice((*byte)(unsafe.Pointer(&d)), unsafe.Sizeof(d)))
			})},
		}
	})
	m, err := e.Machine(Selection{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Init) != 1 {
		t.Errorf("got %d initial states, want 1", len(m.Init))
	}
	w, b := m.NewWorker(), m.NewBatch(1)
	for range 3 {
		b.Truncate(0)
		if f := w.Expand(m.Init[0], b); f != nil {
			t.Fatal(f)
		}
		if string(b.State(0)) != string(m.Init[0]) {
			t.Fatalf("got %x, want %x", b.State(0), m.Init[0])
		}
		next, _, _ := w.Step(m.Init[0], 0)
		if string(next) != string(m.Init[0]) {
			t.Fatalf("step: got %x, want %x", next, m.Init[0])
		}
	}
}

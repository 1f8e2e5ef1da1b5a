package model

import "fmt"

// Param is a parameter of an action: a name and the finite list of values it
// ranges over. A choice that an action makes is a parameter, so that it has a
// name in the trace: outcome=lost.
type Param[A any] struct {
	Name   string
	Values []A
}

// Below ranges over the identifiers 0, 1, …, n-1.
func Below[A ID](name string, n int) Param[A] { return Between[A](name, 0, n-1) }

// Between ranges over the numbers from lo to hi, both included.
func Between[A ID](name string, lo, hi int) Param[A] {
	p := Param[A]{Name: name}
	for i := lo; i <= hi; i++ {
		p.Values = append(p.Values, A(i))
	}
	return p
}

// Values ranges over the values given: names of outcomes, links, pairs.
func Values[A any](name string, values ...A) Param[A] { return Param[A]{name, values} }

// Subsets ranges over all sets of the identifiers below n.
func Subsets[E ID, W Unsigned](name string, n int) Param[Set[E, W]] {
	p := Param[Set[E, W]]{Name: name}
	for b := uint64(0); b < 1<<n; b++ {
		p.Values = append(p.Values, Set[E, W]{W(b)})
	}
	return p
}

// Domain is a Param without its type: the name, and each value as fmt prints it.
type Domain struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

func (p Param[A]) domain() Domain {
	d := Domain{Name: p.Name}
	for _, v := range p.Values {
		d.Values = append(d.Values, spelled(fmt.Sprint(v)))
	}
	return d
}

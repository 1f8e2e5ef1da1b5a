package main

import (
	"strconv"
	"strings"
	"testing"
)

// FuzzReading: whatever a checker prints, the counts are numbers out of that, or
// there are none.
func FuzzReading(f *testing.F) {
	f.Add("  1,745,408 distinct states, 18,507,778 generated\n")
	f.Add("errors: 0\n 288 states, stored\n 1146 transitions (= stored+matched)\n")
	f.Add("No error found.\n 288 states, 1145 rules fired in 0s.\n")
	f.Add("1146 states generated, 288 distinct states found, 0 states left on queue.\n")
	f.Add("Done. states=1146, unique=288, depth=11, sec=1\n")
	f.Add("Done. states=99999999999999999999, unique=1, depth=1\n")
	f.Fuzz(func(t *testing.T, output string) {
		digits := strings.ReplaceAll(output, ",", "")
		for name, read := range map[string]func(string) (counts, error){"mc": readMC, "spin": readSPIN, "rumur": readRumur, "tlc": readTLC, "stateright": readStateright} {
			c, err := read(output)
			if err != nil {
				continue
			}
			if name == "rumur" {
				c.generated-- // the start state
			}
			for _, n := range []uint64{c.distinct, c.generated} {
				if !strings.Contains(digits, strconv.FormatUint(n, 10)) {
					t.Errorf("%s: got %d", name, n)
				}
			}
		}
	})
}

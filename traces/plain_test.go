package traces

import (
	"slices"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"words", "a b", "a b"},
		{"empty", "", ""},
		{"signs", `→ ✗ "<&>\`, `→ ✗ "<&>\`},
		{"wide", "日本", "日本"},
		{"accent", "e\u0301", "e\u0301"},
		{"escape sequence", "\x1b[2J", `\x1b[2J`},
		{"8-bit escape sequence", "\u009b2J", `\u009b2J`},
		{"line breaks", "a\r\nb\tc\u2028d", `a\r\nb\tc\u2028d`},
		{"delete", "a\x7f", `a\x7f`},
		{"bidirectional marks", "\u202eab\u2066\u200f", `\u202eab\u2066\u200f`},
		{"nothing to see", "a\u200bb\u00ad\ufeff", `a\u200bb\u00ad\ufeff`},
		{"spaces of other kinds", "a\u00a0b\u3000", `a\u00a0b\u3000`},
		{"tag characters", "a\U000e0041", `a\U000e0041`},
		{"broken UTF-8", "a\xff\xc3", `a\xff\xc3`},
		{"replacement character", "\ufffd", "\ufffd"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := plain(test.text); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		name, text string
		width      int
		want       []string
	}{
		{"empty", "", 5, []string{""}},
		{"fits", "a b c", 5, []string{"a b c"}},
		{"breaks at a space", "ab cd ef", 5, []string{"ab cd", "ef"}},
		{"long word", "abcdefgh ij", 5, []string{"abcde", "fgh", "ij"}},
		{"long word after others", "ab cdefghij", 5, []string{"ab", "cdefg", "hij"}},
		{"punctuation", "Class.method", 7, []string{"Class.", "method"}},
		{"capitals", "appendEntriesAsync,", 17, []string{"appendEntries", "Async,"}},
		{"early capital", "aBcdefghij", 7, []string{"aBcdefg", "hij"}},
		{"early punctuation", "a.bcdefghij", 7, []string{"a.bcdef", "ghij"}},
		{"wide characters", "日本語の", 5, []string{"日本", "語の"}},
		{"too wide", "日本", 1, []string{"日", "本"}},
		{"accents stay", "e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		{"spaces inside", "a  b", 5, []string{"a  b"}},
		{"spaces at a break", "abc   def", 5, []string{"abc", "def"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := wrap(test.text, test.width); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestWrapLong: a value of some megabytes takes no quadratic time.
func TestWrapLong(t *testing.T) {
	text := strings.Repeat("x", 4<<20)
	if got := len(wrap(text, 64)); got != len(text)/64 {
		t.Errorf("got %d lines, want %d", got, len(text)/64)
	}
}

package traces

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/rivo/uniseg"
)

// plain is s with everything spelled out that is not printable: control
// characters and with them escape sequences, marks that turn the direction of
// writing, broken UTF-8. A label comes from a spec or from a file and may hold
// anything; what plain returns is one line and does nothing to a terminal.
func plain(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[0]), 16))
		case hidden(r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
		s = s[n:]
	}
	return b.String()
}

// hidden says whether r cannot be seen on paper: IsPrint leaves out controls,
// formats (all of the bidirectional marks) and spaces other than the usual.
func hidden(r rune) bool { return !unicode.IsPrint(r) }

// columns is the width of s on a terminal.
func columns(s string) int { return uniseg.StringWidth(s) }

// cut splits s where it exceeds width columns: after punctuation near the end
// if there is some, as in the name of a Java method, else before a capital as in
// camelCase, else between characters as a reader sees them. Head is not empty
// unless s is.
func cut(s string, width int) (head, tail string) {
	used, end, state := 0, 0, -1
	for rest := s; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > width && end > 0 {
			if i := strings.LastIndexAny(s[:end], ".,:;/)]}"); i >= end/2 {
				end = i + 1
			} else if i := hump(s, end); i >= end/2 {
				end = i
			}
			break
		}
		used, end = used+w, end+len(cluster)
	}
	return s[:end], s[end:]
}

// hump is the last place up to end where a capital follows a small letter, or -1.
func hump(s string, end int) int {
	for i := end; i > 0; i-- {
		if 'A' <= s[i] && s[i] <= 'Z' && 'a' <= s[i-1] && s[i-1] <= 'z' {
			return i
		}
	}
	return -1
}

// wrap breaks s into lines of at most width columns, at spaces where it can.
func wrap(s string, width int) []string {
	var lines []string
	line, open := "", false
	end := func() { lines = append(lines, strings.TrimRight(line, " ")) }
	for word := range strings.SplitSeq(s, " ") {
		if open && columns(line)+1+columns(word) <= width {
			line += " " + word
			continue
		}
		if open {
			end()
		}
		open = true
		var rest string
		for line, rest = cut(word, width); rest != ""; line, rest = cut(rest, width) {
			end()
		}
	}
	end()
	return lines
}

// shorten cuts text that is longer than so many characters, and says so.
func shorten(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n == most {
			return s[:i] + "…"
		}
	}
	return s
}

// count writes n with its noun, and n with a comma at each thousand.
func count(n uint64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return humanize.Comma(int64(n)) + " " + noun
}

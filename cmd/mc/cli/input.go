package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

// readText reads a file that is text of so many bytes at most, and no more of it:
// it may be a device without an end. The error begins with the file's name.
func readText(name string, most int) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &ioError{fmt.Errorf("%s: %w", name, cause(err))}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	switch {
	case err != nil:
		return nil, &ioError{fmt.Errorf("%s: %w", name, cause(err))}
	case len(text) > most:
		return nil, fmt.Errorf("%s: too large; want at most %d MB", name, most>>20)
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return nil, fmt.Errorf("%s: not text; want UTF-8", name)
	}
	return text, nil
}

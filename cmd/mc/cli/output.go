package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// output is a file to be written at the end, whole or not at all. Between the
// check that it can be written and the writing, nothing of it exists.
type output struct {
	flag, path string
	whole      string   // path from the root, to tell files apart
	direct     *os.File // a device or pipe, which is not replaced
}

// output is the file that a flag asks for, or nil. That it cannot be written
// is a mistake.
func (a *app) output(flag string, file word) *output {
	if !file.given {
		return nil
	}
	o := &output{flag: flag, path: file.text}
	if file.text == "" {
		a.mistakef("%s: want the name of a file", flag)
		return nil
	}
	if real, err := filepath.EvalSymlinks(file.text); err == nil {
		o.path = real
	}
	o.whole = wholePath(o.path)
	if by := a.kept[o.whole]; by != "" {
		a.mistakef("%s %s: is what %s reads; want another file", flag, o.path, by)
	} else if err := o.check(); err != nil {
		a.mistake(o.wrap(err))
	}
	return o
}

// keep notes that a flag reads a file, so that no other writes it.
func (a *app) keep(path, flag string) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if a.kept == nil {
		a.kept = map[string]string{}
	}
	a.kept[wholePath(path)] = flag
}

// wholePath is a path from the root, without links in its folder.
func wholePath(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(whole)); err == nil {
		return filepath.Join(dir, filepath.Base(whole))
	}
	return whole
}

func (o *output) check() error {
	switch info, err := os.Stat(o.path); {
	case err == nil && info.IsDir():
		return errors.New("is a directory")
	case err == nil:
		f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			// It stays open, for the reader of a pipe that is closed goes away.
			o.direct = f
			return nil
		}
		f.Close()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	f, err := o.temporary()
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// temporary makes a file next to the one to be written. Unlike those of
// os.CreateTemp it has the permissions of any file the user makes.
func (o *output) temporary() (*os.File, error) {
	base := filepath.Base(o.path)
	name := fmt.Sprintf(".%s.%08x", base[:min(len(base), 200)], rand.Uint32()) // names have 255 bytes at most
	return os.OpenFile(filepath.Join(filepath.Dir(o.path), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// write makes the file.
func (o *output) write(content *bytes.Buffer) error {
	if o.direct != nil {
		_, err := content.WriteTo(o.direct)
		return o.wrap(errors.Join(err, o.direct.Close()))
	}
	f, err := o.temporary()
	if err != nil {
		return o.wrap(err)
	}
	if old, err := os.Stat(o.path); err == nil {
		_ = f.Chmod(old.Mode().Perm()) // who may read it stays so
	}
	_, err = content.WriteTo(f)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), o.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return o.wrap(err)
}

// wrap names the flag and the file, and keeps one reason.
func (o *output) wrap(err error) error {
	if err == nil {
		return nil
	}
	return &ioError{fmt.Errorf("%s %s: %w", o.flag, o.path, cause(leaves(err)[0]))}
}

// cause is the system's word on what went wrong with a file, without the name
// of the call or of the temporary file.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestNoNetwork: mc opens no network connection, because it cannot: the linker
// has left out the functions that make a socket and connect it, which it does
// only if nothing in the program can call them.
func TestNoNetwork(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere the functions have other names")
	}
	if found := networking(t, "."); len(found) > 0 {
		t.Errorf("the program has %s", strings.Join(found, ", "))
	}
	// What has them is found.
	for name, source := range map[string]string{
		"dials":    `package main; import "net"; func main() { net.Dial("tcp", "localhost:1") }`,
		"listens":  `package main; import "net"; func main() { net.Listen("tcp", "localhost:0") }`,
		"resolves": `package main; import "net"; func main() { net.LookupHost("localhost") }`,
		"calls":    `package main; import "syscall"; func main() { syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0) }`,
	} {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		if len(networking(t, file)) == 0 {
			t.Errorf("a program that %s has none of the functions", name)
		}
	}
}

// networking are the functions in a program that make sockets and connect them.
func networking(t *testing.T, what string) (found []string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", program, what).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	symbols, err := exec.Command("go", "tool", "nm", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	known := false
	for line := range strings.Lines(string(symbols)) {
		f := strings.Fields(line)
		name := f[len(f)-1]
		known = known || name == "main.main"
		switch pkg, function, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], "."); pkg {
		case "syscall", "unix": // golang.org/x/sys/unix, internal/syscall/unix
			switch strings.ToLower(function) {
			case "socket", "connect":
				found = append(found, name)
			}
		case "http", "tls":
			found = append(found, name)
		case "net":
			if function == "Dial" || function == "Listen" || strings.HasPrefix(function, "(*Dialer).") || strings.HasPrefix(function, "(*Resolver).") {
				found = append(found, name)
			}
		}
	}
	if !known {
		t.Fatalf("%s: the names of functions are not to be seen", what)
	}
	return found
}

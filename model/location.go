package model

import (
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

// Location is a line of a spec's source. File is the path in the module, as
// spec/lock/lock.go: the same on every machine and however the program was
// built. Where the module is not that of the program, its own path comes first.
type Location struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// site is where a spec called this package. It is kept with every action and
// property, and looked up only for those that are shown.
type site uintptr

// caller is the call of the exported function that calls it.
func caller() site {
	var pc [1]uintptr
	runtime.Callers(3, pc[:])
	return site(pc[0])
}

// reader is the innermost call of this package from outside.
func reader() site {
	var pcs [16]uintptr
	n := runtime.Callers(2, pcs[:])
	for _, pc := range pcs[:n] {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		if packageOf(f.Function) != "mc/model" || strings.HasSuffix(f.File, "_test.go") {
			return site(pc)
		}
	}
	return 0
}

// location looks the call up; it is zero if there was none.
func (s site) location() Location {
	if s == 0 {
		return Location{}
	}
	f, _ := runtime.CallersFrames([]uintptr{uintptr(s)}).Next()
	return Location{fileOf(f.Function, f.File), f.Line}
}

// Location is where a spec makes the action.
func (a *ActionInfo) Location() Location { return a.site.location() }

// Location is where a spec makes the property.
func (p *PropertyInfo) Location() Location { return p.site.location() }

// Location is where the spec is defined.
func (e *Entry) Location() Location { return e.site.location() }

// SettingLocation is where a spec reads a setting.
func (m *Machine) SettingLocation(name string) Location {
	for i, s := range m.Config.Settings {
		if s.Name == name && i < len(m.settings) {
			return m.settings[i].location()
		}
	}
	return Location{}
}

// fileOf is the path of a file in its module. The compiler's own path is not
// asked for more than the last part: unless -trimpath was given it is that of
// the machine that compiled. The folder is told by the function's package.
func fileOf(function, file string) string {
	build, _ := debug.ReadBuildInfo()
	if build == nil {
		build = &debug.BuildInfo{}
	}
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	pkg := packageOf(function)
	if strings.HasSuffix(name, "_test.go") {
		pkg = strings.TrimSuffix(pkg, "_test")
	}
	if pkg == "main" && build.Path != "command-line-arguments" {
		pkg = build.Path
	}
	return path.Join(folderOf(pkg, build.Main.Path), name)
}

// folderOf is the folder of a package in the main module.
func folderOf(pkg, module string) string {
	switch {
	case pkg == module || pkg == "main":
		return ""
	case module != "":
		return strings.TrimPrefix(pkg, module+"/")
	}
	return pkg
}

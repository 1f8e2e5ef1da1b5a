package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "say which mc this is, and what it was built from",
		Example: "  mc version",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			a.noArguments(args)
			if err := a.usage(); err != nil {
				return err
			}
			return a.version()
		},
	}
}

func (a *app) version() error {
	info, _ := debug.ReadBuildInfo()
	_, err := a.out.WriteString(version(info))
	return err
}

// version tells what the build recorded; info may be nil. The command may be
// that of another module, which requires ours: then that is told as well.
func version(info *debug.BuildInfo) string {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	var b strings.Builder
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	fmt.Fprintf(&b, "mc %s\n", known(ownVersion(info)))
	if info.Main.Path != "" && info.Main.Path != "mc" {
		fmt.Fprintf(&b, "in        %s %s\n", info.Main.Path, known(info.Main.Version))
	}
	if r := settings["vcs.revision"]; r != "" {
		if settings["vcs.modified"] == "true" {
			r += ", changed since"
		}
		fmt.Fprintf(&b, "revision  %s\n", r)
	}
	if t := settings["vcs.time"]; t != "" {
		fmt.Fprintf(&b, "of        %s\n", t)
	}
	fmt.Fprintf(&b, "built by  %s for %s/%s\n", cmp.Or(info.GoVersion, runtime.Version()),
		cmp.Or(settings["GOOS"], runtime.GOOS), cmp.Or(settings["GOARCH"], runtime.GOARCH))
	return b.String()
}

// ownVersion is that of this module.
func ownVersion(info *debug.BuildInfo) string {
	for _, d := range info.Deps {
		if d.Path == "mc" {
			return d.Version
		}
	}
	return info.Main.Version
}

func known(version string) string { return cmp.Or(version, "(devel)") }

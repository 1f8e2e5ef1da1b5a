package cli

import (
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// memoryShare is the part of the memory there is that a search takes by
// default. What is left is for the Go heap, which the limit does not count, and
// for whatever else runs.
const memoryShare = 0.8

// allowance is the memory that this process can take before the system ends
// it, in bytes, and what sets it; 0 if that is not known.
type allowance struct {
	bytes uint64
	by    string
}

// share is the default of --max-memory, in bytes; 0 for no limit.
func (a allowance) share() int64 {
	return int64(min(uint64(float64(a.bytes)*memoryShare), math.MaxInt64))
}

func (a allowance) String() string {
	if a.bytes == 0 {
		return "none, for the memory there is is not known"
	}
	return humanize.IBytes(uint64(a.share())) + ": 80 % of " + humanize.IBytes(a.bytes) + ", " + a.by
}

// memoryOfHost reads the least of the memory limits of this process: the
// machine's, and those of its control group and of all groups around it. The
// number of cores needs no such care, for Go's runtime takes it from there.
func memoryOfHost() allowance { return memoryIn(os.DirFS("/")) }

// memoryIn reads below a root, where nothing need be there or make sense.
func memoryIn(root fs.FS) allowance {
	least := allowance{physical(root), "the machine's"}
	if least.bytes == 0 {
		least.by = ""
	}
	take := func(file string) {
		if n := number64(root, file); n > 0 && (least.bytes == 0 || n < least.bytes) {
			least = allowance{n, "the limit of its cgroup"}
		}
	}
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		mount, file := "sys/fs/cgroup", "memory.max" // version 2
		if parts[0] != "0" || parts[1] != "" {
			if !strings.Contains(","+parts[1]+",", ",memory,") {
				continue
			}
			mount, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		// In a container the path may be that of the host, of which only the
		// end, or nothing, is mounted: what is not there sets no limit.
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			take(path.Join(mount, group, file))
			if group == "/" {
				break
			}
		}
	}
	return least
}

// number64 is the number in a file; 0 for none, such as "max".
func number64(root fs.FS, file string) uint64 {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// physical is the memory of the machine in bytes, or 0.
func physical(root fs.FS) uint64 {
	text, _ := fs.ReadFile(root, "proc/meminfo")
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			n, err := strconv.ParseUint(f[1], 10, 53)
			if err == nil {
				return n << 10
			}
		}
	}
	return 0
}

package cli

import (
	"runtime"
	"testing"
	"testing/fstest"
)

func TestMemoryIn(t *testing.T) {
	const gib = 1 << 30
	meminfo := "MemFree: 17 kB\nMemTotal:       8388608 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  allowance
	}{
		"nothing there":   {nil, allowance{}},
		"a machine alone": {map[string]string{"proc/meminfo": meminfo}, allowance{8 * gib, "the machine's"}},
		"version 2": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/ci/job\n",
			"sys/fs/cgroup/ci/job/memory.max": "2147483648\n"}, allowance{2 * gib, "the limit of its cgroup"}},
		"a group around it": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/ci/job\n",
			"sys/fs/cgroup/ci/job/memory.max": "max\n", "sys/fs/cgroup/ci/memory.max": "3221225472\n"}, allowance{3 * gib, "the limit of its cgroup"}},
		"a container": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "1073741824\n"}, allowance{gib, "the limit of its cgroup"}},
		"a container with the host's path": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu,memory:/docker/1f\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n"}, allowance{gib, "the limit of its cgroup"}},
		"a path out of the namespace": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../../x\n",
			"sys/fs/cgroup/x/memory.max": "1073741824\n"}, allowance{gib, "the limit of its cgroup"}},
		"version 1 without a limit": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/user\n",
			"sys/fs/cgroup/memory/user/memory.limit_in_bytes": "9223372036854771712\n"}, allowance{8 * gib, "the machine's"}},
		"another controller": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory_x:/user\n3:cpu:/user\n",
			"sys/fs/cgroup/memory/user/memory.limit_in_bytes": "1\n"}, allowance{8 * gib, "the machine's"}},
		"a group alone": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824"}, allowance{gib, "the limit of its cgroup"}},
		"nonsense": {map[string]string{"proc/meminfo": "MemTotal: -1 kB\nMemTotal:\nMemTotal: 99999999999999999999 kB\n", "proc/self/cgroup": "x\n::\n0::\n\n:::::",
			"sys/fs/cgroup/memory.max": "-3\n"}, allowance{}},
	} {
		root := fstest.MapFS{}
		for file, text := range c.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := memoryIn(root); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
	if got, want := (allowance{10 * gib, "x"}).share(), int64(8*gib); got != want {
		t.Errorf("share: got %d, want %d", got, want)
	}
}

// TestDefaultMemory: a search has a limit unless one is given.
func TestDefaultMemory(t *testing.T) {
	host := memoryOfHost()
	if runtime.GOOS == "linux" && host.bytes < 1<<20 {
		t.Errorf("got %d bytes of memory", host.bytes)
	}
	if got := (&app{}).options(&limits{}).MaxMemory; got != host.share() {
		t.Errorf("by default: got %d, want %d", got, host.share())
	}
	if got := (&app{}).options(&limits{memory: word{"1KiB", true}}).MaxMemory; got != 1024 {
		t.Errorf("given: got %d, want 1024", got)
	}
}

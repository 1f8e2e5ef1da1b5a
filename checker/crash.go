package checker

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"mc/checker/memory"
)

// Crash is a panic that has left the goroutine that it began on.
type Crash struct {
	Value any
	Where string // the function that it began in, and the line
}

func (c Crash) Error() string { return fmt.Sprintf("%v (%s)", c.Value, c.Where) }

// Caught is called by the deferred function that recovered r, while the stack
// still tells where the panic began.
func Caught(r any) Crash {
	if c, ok := r.(Crash); ok {
		return c
	}
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if !more || !strings.HasPrefix(f.Function, "runtime.") {
			return Crash{r, fmt.Sprintf("%s, line %d", f.Function, f.Line)}
		}
	}
}

// together calls work on every worker at once, and panics if one of them does.
// Memory that is lacking stays the panic that it is: a search ends well on it.
func together[W any](crew []W, work func(W)) {
	if len(crew) == 1 {
		work(crew[0])
		return
	}
	var wg sync.WaitGroup
	var broken atomic.Pointer[any]
	for _, w := range crew {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					if _, lacking := r.(memory.Exhausted); !lacking {
						r = Caught(r)
					}
					broken.CompareAndSwap(nil, &r)
				}
			}()
			work(w)
		})
	}
	wg.Wait()
	if r := broken.Load(); r != nil {
		panic(*r)
	}
}

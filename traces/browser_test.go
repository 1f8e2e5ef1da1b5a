package traces

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"mc/model"
)

// tab is a tab of a browser, and what went wrong in it.
type tab struct {
	*testing.T
	ctx context.Context
	dir string

	mu     sync.Mutex
	pages  int
	wrongs []string
}

// file is the page that was opened last.
func (b *tab) file() string { return filepath.Join(b.dir, fmt.Sprintf("page%d.html", b.pages)) }

// browser starts a browser without a window.
func browser(t *testing.T) *tab {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("Chromium is not installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{T: t, ctx: ctx, dir: t.TempDir()}
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if url := e.Request.URL; !strings.HasPrefix(url, "file://"+b.dir+"/page") && !strings.HasPrefix(url, "data:") {
				b.wrong("request: %s", url)
			}
		case *log.EventEntryAdded:
			b.wrong("log: %s", e.Entry.Text)
		case *runtime.EventConsoleAPICalled:
			b.wrong("console: %s", e.Type)
		case *runtime.EventExceptionThrown:
			b.wrong("exception: %s", e.ExceptionDetails.Text)
		case *cdppage.EventJavascriptDialogOpening:
			b.wrong("dialog: %s", e.Message)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *tab) wrong(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrongs = append(b.wrongs, fmt.Sprintf(format, args...))
}

// quiet checks that the page made no request and no message.
func (b *tab) quiet() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.wrongs {
		b.Error(w)
	}
	b.wrongs = nil
}

// open loads a page of a width.
func (b *tab) open(html string, width int64) { b.Helper(); b.openAt(html, width, "") }

// openAt opens it where a hash says.
func (b *tab) openAt(html string, width int64, hash string) {
	b.Helper()
	b.pages++
	if err := os.WriteFile(b.file(), []byte(html), 0o666); err != nil {
		b.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+b.file()+hash))
	// Navigate may come back too early on a busy machine.
	for valueOf[string](b, `document.readyState + location.pathname`) != "complete"+b.file() {
		time.Sleep(10 * time.Millisecond)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// press types keys and wants the page to show a step then.
func (b *tab) press(keys, want string) {
	b.Helper()
	b.do(chromedp.KeyEvent(keys))
	b.shows(want)
}

func (b *tab) shows(want string) {
	b.Helper()
	got := valueOf[string](b, `[...document.querySelectorAll(".step.on, .lanes g.on:has(> .card)")].filter(e => e.checkVisibility()).map(e => e.dataset.step).join(" ")`)
	if got != want+" "+want {
		b.Errorf("got the steps %q in the picture and beside it, want %q twice", got, want)
	}
}

// valueOf is that of an expression in the page.
func valueOf[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// same wants an expression in the page to have a value.
func same[T comparable](b *tab, expression string, want T) {
	b.Helper()
	if got := valueOf[T](b, expression); got != want {
		b.Errorf("%s: got %v, want %v", expression, got, want)
	}
}

const (
	stepsSeen      = `[...document.querySelectorAll(".step")].filter(e => e.checkVisibility()).length`
	behavioursSeen = `[...document.querySelectorAll(".behaviour")].filter(e => e.checkVisibility()).map(e => e.id).join(" ")`
)

func TestBrowser(t *testing.T) {
	b := browser(t)
	for _, test := range []struct {
		name string
		run  func(*tab)
	}{
		{"keys", browseKeys}, {"mouse", browseMouse}, {"hostile", browseHostile}, {"without scripts", browseWithoutScripts},
		{"print", browsePrint}, {"network", browseNetwork}, {"large", browseLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			of := b.T
			defer func() { b.T = of }()
			b.T = t
			test.run(b)
			b.quiet()
		})
	}
}

func browseKeys(b *tab) {
	b.open(page(b, reported()), 1200)
	b.shows("0")
	b.press(kb.ArrowRight, "1")
	b.press(kb.ArrowDown, "2")
	b.press(kb.ArrowLeft, "1")
	b.press(kb.ArrowUp, "0")
	b.press(kb.ArrowLeft, "0")
	b.press(kb.End, "10")
	b.press(kb.ArrowRight, "10")
	b.do(chromedp.Sleep(200 * time.Millisecond))
	same(b, `location.hash`, "#b1-10")
	same(b, `document.querySelector("#b1 output").textContent`, "step 10 of 10")
	same(b, `[...document.querySelectorAll("#b1 .lanes .cause")].map(g => g.dataset.step).includes("4")`, true)
	same(b, `[...document.querySelectorAll("#b1 .truths td.on")].map(e => e.textContent).join("")`, "✗●✓·✗")
	same(b, stepsSeen, 1)

	// All fields: each with its value here and the step that made it so.
	b.press("a", "10")
	same(b, `[...document.querySelectorAll("#b1 .fields tr")].map(r => r.textContent).join(" ")`, `log[CONF a=1 b=2]4 acked27 value[a]18 value[b]310`)
	b.press(kb.Home, "0")
	same(b, `[...document.querySelectorAll("#b1 .fields tr")].map(r => r.textContent).join(" ")`, `log[CONF] acked0 value[a]"" value[b]""`)
	b.press("a", "0")
	same(b, `document.querySelectorAll(".fields tr").length`, 0)

	b.do(chromedp.KeyEvent("s"))
	same(b, stepsSeen, 11)
	b.press("s", "0")
	same(b, stepsSeen, 1)

	b.do(chromedp.KeyEvent("?"))
	same(b, `document.querySelector("dialog").open`, true)
	b.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("?"))
	same(b, `document.querySelector("dialog").open`, false)
	b.shows("0")

	// A loop goes on with its first step.
	b.do(chromedp.KeyEvent("n"), chromedp.KeyEvent("n"))
	same(b, behavioursSeen, "b3")
	b.press(kb.End, "5")
	b.press(kb.ArrowRight, "3")
	b.do(chromedp.KeyEvent("n"), chromedp.KeyEvent("n"))
	same(b, behavioursSeen, "b1")
	b.do(chromedp.KeyEvent("p"))
	same(b, behavioursSeen, "b4")
}

func browseMouse(b *tab) {
	b.open(page(b, reported()), 1600)
	b.do(chromedp.Click(`#b1 .lanes g[data-step="3"] > .card`))
	b.shows("3")
	b.do(chromedp.Click(`#b1 .next`))
	b.shows("4")
	b.do(chromedp.Click(`#b1 .truths a[href="#b1-7"]`))
	b.shows("7")
	b.do(chromedp.Click(`.verdicts a[href="#b3"]`))
	same(b, behavioursSeen, "b3")
	same(b, `[...document.querySelectorAll(".verdicts a.on")].map(a => a.hash).join()`, "#b3")

	// The address says which step is shown, and brings it back.
	b.do(chromedp.Click(`#b3 .last`), chromedp.Sleep(200*time.Millisecond))
	hash := valueOf[string](b, `location.hash`)
	b.openAt(page(b, reported()), 1600, hash)
	same(b, behavioursSeen, "b3")
	b.shows("5")
}

// browseHostile: whatever stands in a label is shown as text, does nothing, and
// leaves the page as wide as it is.
func browseHostile(b *tab) {
	const each = 12 // labels on a page
	for from := 0; from < len(hostileLabels); from += each {
		labels := hostileLabels[from:min(from+each, len(hostileLabels))]
		d := &Document{}
		for _, label := range labels {
			tr := relabelled(lasso(), label)
			tr.Kind = model.Recurrent
			d.Runs = append(d.Runs, Run{Spec: tr.Spec, Bug: label, Config: tr.Config, Results: []Result{{
				Property: tr.Property, Meaning: tr.Meaning, Kind: tr.Kind, Verdict: tr.Verdict, Trace: tr, Steps: len(tr.Steps) - 1,
			}}})
		}
		b.open(page(b, d), 1200)
		b.do(chromedp.KeyEvent("a"))
		for i, label := range labels {
			b.press(kb.ArrowRight, "1")
			want := strings.Join(strings.Fields(htmlText(label, 40)), " ")
			if got := valueOf[string](b, `document.querySelector(".on .step.on").textContent.replace(/\s+/g, " ")`); !strings.Contains(got, strings.TrimSuffix(want, "…")) {
				b.Errorf("label %d: got %q, want %q in it", from+i, got, want)
			}
			b.do(chromedp.KeyEvent("n"))
		}
		// All of it is in view then.
		valueOf[bool](b, `document.documentElement.classList.remove("js"), document.querySelectorAll("details").forEach(d => { d.open = true }), true`)
		for _, width := range []int64{500, 1200} {
			b.do(chromedp.EmulateViewport(width, 900))
			if over := valueOf[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				b.Errorf("labels from %d: the page is %d pixels wider than its window of %d", from, over, width)
			}
		}
		same(b, `[...document.querySelectorAll(".lanes text.lane")].filter(name => {
			const box = name.previousElementSibling.getBBox(), text = name.getBBox()
			return text.x < box.x || text.x + text.width > box.x + box.width
		}).length`, 0)
		same(b, `document.querySelectorAll("script").length`, 1+len(labels))
		same(b, `document.querySelectorAll("img, iframe, [onmouseover], [onerror]").length`, 0)
	}
}

func browseWithoutScripts(b *tab) {
	disable := func(yes bool) {
		if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: yes}); err != nil {
			b.Fatal(err)
		}
	}
	disable(true)
	b.open(page(b, reported()), 1200)
	disable(false)
	same(b, behavioursSeen, "b1 b2 b3 b4")
	same(b, stepsSeen, 11+11+6+3)
	same(b, `[...document.querySelectorAll("button, input")].filter(e => e.checkVisibility()).length`, 0)
}

// browsePrint: on paper are all steps of the behaviour that is shown, dark on
// light, and nothing to press.
func browsePrint(b *tab) {
	b.open(page(b, reported()), 1200)
	b.press(kb.ArrowRight, "1")
	media := func(name string) {
		p := emulation.SetEmulatedMediaParams{Media: name, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}
		if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, p); err != nil {
			b.Fatal(err)
		}
	}
	const colour = `getComputedStyle(document.body).backgroundColor`
	media("screen")
	same(b, colour, "rgb(13, 17, 23)")
	media("print")
	same(b, colour, "rgb(255, 255, 255)")
	same(b, `getComputedStyle(document.querySelector("#b1 .lanes svg .card")).fill`, "rgb(255, 255, 255)")
	same(b, behavioursSeen, "b1")
	same(b, stepsSeen, 11)
	same(b, `[...document.querySelectorAll("button, input")].filter(e => e.checkVisibility()).length`, 0)
	same(b, `[...document.querySelectorAll(".lanes, .panel")].every(e => e.scrollHeight <= e.clientHeight)`, true)
	media("")
}

// browseNetwork: even something that got into the page could not call out.
func browseNetwork(b *tab) {
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	defer server.Close()
	b.open(page(b, reported()), 1200)
	b.quiet()
	script := fmt.Sprintf(`(async () => {
		const done = (e) => new Promise(r => { e.onload = e.onerror = r; setTimeout(r, 500) });
		const img = new Image(); img.src = %[1]q; await done(img);
		const s = document.createElement("script"); s.src = %[1]q; document.body.append(s); await done(s);
		const inline = document.createElement("script"); inline.textContent = "window.ran = true"; document.body.append(inline);
		const l = document.createElement("link"); l.rel = "stylesheet"; l.href = %[1]q; document.head.append(l); await done(l);
		await fetch(%[1]q, {mode: "no-cors"}).catch(() => {});
		return window.ran === true;
	})()`, server.URL)
	ran, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
	if err != nil || ran {
		b.Errorf("got %v, %v: want no script to run", ran, err)
	}
	if n := calls.Load(); n != 0 {
		b.Errorf("got %d requests, want none", n)
	}
	b.mu.Lock()
	b.wrongs = nil // the browser tells what it has refused
	b.mu.Unlock()
}

// browseLarge: a page from which much is left out works like another.
func browseLarge(b *tab) {
	b.open(written(b, func(w io.Writer) error { return writeIn(w, "html", long(3000, 4, 1)) }), 1200)
	b.do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent("a"))
	same(b, `document.querySelector(".step.on").dataset.step`, "3000")
	same(b, `document.querySelector(".fields tr").textContent`, "field03000x3000")
	b.do(chromedp.Click(`#b1 .first`))
	for range 100 {
		b.do(chromedp.KeyEvent(kb.ArrowRight))
	}
	same(b, `document.querySelector(".step.on").dataset.step`, "100–2900")
}

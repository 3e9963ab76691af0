package site

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var long = flag.Bool("long", false, "test the page in headless Chromium; make playground builds it before")

// patience is the longest duration of one step of a page on a busy machine.
const patience = 2 * time.Minute

// A browser shows the built page.
type browser struct {
	t       *testing.T
	ctx     context.Context
	address string

	mu     sync.Mutex
	errors []string // messages on the console
}

// open starts Chromium with the page. The test is skipped without -long, and fails if something is missing.
func open(t *testing.T, fragment string) *browser {
	t.Helper()
	if !*long {
		t.Skip("with -long only")
	}
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("%v; sh setup.sh playground installs it", err)
	}
	dist := os.DirFS("dist")
	if _, err := fs.Stat(dist, "index.html.gz"); err != nil {
		t.Fatalf("%v; make playground builds the page", err)
	}
	h, err := Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.WindowSize(1280, 1000), chromedp.WSURLReadTimeout(patience))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx, address: server.URL + "/"}
	chromedp.ListenTarget(ctx, func(e any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			b.errors = append(b.errors, e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
				b.errors = append(b.errors, fmt.Sprint(e.Type, " ", e.Args))
			}
		}
	})
	t.Cleanup(func() {
		b.mu.Lock() // released before the page is used: browser events need it
		list := slices.Clone(b.errors)
		b.mu.Unlock()
		if len(list) > 0 {
			t.Errorf("the console has errors: %q", list)
		}
		if t.Failed() {
			t.Logf("status %q, problems %q", b.text("#status"), b.text("#problems-summary"))
		}
	})
	b.do(chromedp.Navigate(b.address + fragment))
	b.wait("the first diagnostics", `performance.getEntriesByName("purecl-diagnosed").length > 0`)
	b.wait("a kernel", `document.getElementById("kernel").value !== ""`)
	return b
}

func (b *browser) do(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// value evaluates JavaScript.
func value[T any](b *browser, js string) (v T) {
	b.t.Helper()
	b.do(chromedp.Evaluate(js, &v, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return v
}

// wait waits until an expression is true.
func (b *browser) wait(what, js string) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if value[bool](b, "!!("+js+")") {
			return
		}
	}
	b.t.Fatalf("waiting for %s: status %q, problems %q", what, b.text("#status"), b.text("#problems-summary"))
}

func (b *browser) text(selector string) string {
	return value[string](b, fmt.Sprintf("document.querySelector(%q).innerText", selector))
}

// example chooses an example and waits for its kernel.
func (b *browser) example(name, kernel string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(fmt.Sprintf(`(() => { const s = document.getElementById("examples"); s.value = [...s.options].find((o) => o.text === %q).value; s.onchange(); })()`, name), nil))
	b.wait("the kernel "+kernel, fmt.Sprintf(`document.getElementById("kernel").value === %q && !document.getElementById("run").disabled`, kernel))
}

// set sets an input's value.
func (b *browser) set(id, text string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event("input", {bubbles: true})); e.dispatchEvent(new Event("change")); })()`, id, text), nil))
}

// run runs the kernel and returns the page's status text.
func (b *browser) run() string {
	b.t.Helper()
	b.do(chromedp.Click("#run", chromedp.ByQuery))
	b.wait("the run's end", `document.getElementById("stop").disabled && !document.getElementById("run").disabled`)
	return b.text("#status")
}

// picture returns the pixels of the page's picture.
func (b *browser) picture() image.Image {
	b.t.Helper()
	url := value[string](b, `document.querySelector("#result canvas").toDataURL("image/png")`)
	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
	if err != nil {
		b.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	return img
}

// TestTyping checks that typed text gets diagnostics, completions and hover.
func TestTyping(t *testing.T) {
	b := open(t, "")
	if got := b.text("#problems-summary"); got != "No problems" {
		t.Errorf("problems of the example: %s", got)
	}
	b.do(chromedp.Focus(".cm-content", chromedp.ByQuery), chromedp.KeyEvent("a", chromedp.KeyModifiers(2 /* control */)), chromedp.KeyEvent("kernel void k(global int *p) { p[0] = q; "))
	b.wait("the diagnostic", `document.getElementById("problems").innerText.includes("use of undeclared identifier 'q'")`)
	b.wait("its underline", `document.querySelector(".cm-lintRange-error")?.textContent === "q"`)
	b.do(chromedp.KeyEvent("p[0] = get_glo"))
	b.wait("completions", `document.querySelector(".cm-tooltip-autocomplete")?.innerText.includes("get_global_size")`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.do(chromedp.Evaluate(`document.querySelector("#problems button[aria-label^=Explain]").click()`, nil))
	b.wait("the explanation", `document.getElementById("explained").innerText.includes(document.getElementById("explain-code").value) && document.getElementById("explain-code").value !== ""`)
}

// TestRunInBrowser checks that the page's picture equals that of the command line's machine code, with one worker
// and with four.
func TestRunInBrowser(t *testing.T) {
	b := open(t, "")
	want := filepath.Join(t.TempDir(), "want.png")
	out, err := exec.Command("go", "run", "../../../cmd/purecl", "run", "../../../examples/mandelbrot/mandelbrot.cl", "-a", "image=zeros(512x512)", "-a", "centre=(-0.6,0)", "-a", "scale=2.4", "-a", "limit=400", "--check=none", "-o", "image="+want).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(want)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reference, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []string{"1", "4", "4"} {
		b.set("workers", workers)
		status := b.run()
		t.Log(status)
		if !strings.Contains(status, "on "+workers+" worker") {
			t.Errorf("status %q", status)
		}
		got := b.picture()
		if got.Bounds() != reference.Bounds() {
			t.Fatalf("the picture is %v, want %v", got.Bounds(), reference.Bounds())
		}
		differ := 0
		for y := range 512 {
			for x := range 512 {
				r, g, bl, a := got.At(x, y).RGBA()
				r2, g2, bl2, a2 := reference.At(x, y).RGBA()
				if r != r2 || g != g2 || bl != bl2 || a != a2 {
					differ++
				}
			}
		}
		if differ > 0 {
			t.Errorf("on %s workers %d pixels differ from the processor's", workers, differ)
		}
	}
}

// TestFindingsInBrowser checks that a finding is underlined in the source, and that its work-item is marked in the
// picture.
func TestFindingsInBrowser(t *testing.T) {
	b := open(t, "")
	b.example("Bug: reads beyond a picture", "convolve_careless")
	if got := b.run(); !strings.Contains(got, "finding") {
		t.Errorf("status %q", got)
	}
	b.do(chromedp.Evaluate(`document.querySelector("#findings button").click()`, nil)) // the editor has elements only for visible lines
	b.wait("the underline", `document.querySelector(".finding") !== null`)
	if got := value[string](b, `document.querySelector(".finding").textContent`); got == "" {
		t.Error("no text is underlined")
	}
	if got := value[string](b, `document.querySelector(".mark").getAttribute("aria-label")`); !strings.HasPrefix(got, "work-item (") {
		t.Errorf("mark %q", got)
	}
	if got := b.text("#findings"); !strings.Contains(got, "[out-of-bounds]") || !strings.Contains(got, "line 27") {
		t.Errorf("findings %q", got)
	}
	b.wait("the mark", `document.querySelector(".mark.current") !== null`)
}

// TestOneWorker checks that kernels whose work-groups communicate display the reason why they run on one worker.
func TestOneWorker(t *testing.T) {
	b := open(t, "")
	b.example("Histogram with atomics", "histogram")
	b.set("workers", "4")
	if got := b.run(); !strings.Contains(got, "on 1 worker") {
		t.Errorf("status %q", got)
	}
	if got := b.text("#alone"); got != "Ran on one worker: it has atomic operations on global memory." {
		t.Errorf("reason %q", got)
	}
	b.example("A wave and its plot", "wave")
	b.run()
	b.wait("the plot", `document.querySelector(".uplot canvas") !== null`)
	b.example("Bug: a data race", "sum")
	if got := b.run(); !strings.Contains(got, "finding") {
		t.Errorf("status %q", got)
	}
}

// TestStop stops a kernel with an endless loop. The page must respond meanwhile and run the next kernel.
func TestStop(t *testing.T) {
	b := open(t, "")
	b.do(chromedp.Focus(".cm-content", chromedp.ByQuery), chromedp.KeyEvent("a", chromedp.KeyModifiers(2)), chromedp.KeyEvent("kernel void spin(global int *p) { while (p[0] == 0) p[1]++; "))
	b.wait("the kernel spin", `document.getElementById("kernel").value === "spin"`)
	b.set("arg-p", "zeros(4)")
	b.set("global", "1")
	b.do(chromedp.Click("#run", chromedp.ByQuery))
	b.wait("the run", `!document.getElementById("stop").disabled`)
	b.do(chromedp.Focus(".cm-content", chromedp.ByQuery), chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(2)), chromedp.KeyEvent("x"))
	b.wait("a diagnostic while it runs", `document.getElementById("problems").innerText !== ""`)
	b.do(chromedp.KeyEvent(kb.Backspace))
	b.do(chromedp.Click("#stop", chromedp.ByQuery))
	b.wait("the end", `document.getElementById("status").innerText.startsWith("spin was stopped after")`)
	b.wait("no problems", `document.getElementById("problems-summary").innerText === "No problems" && !document.getElementById("run").disabled`)
	b.set("arg-p", "[1, 2]")
	if got := b.run(); !strings.HasPrefix(got, "spin ran: 1 work-items") {
		t.Errorf("status %q", got)
	}
	b.set("arg-p", "zeros(99999999999)")
	if got := b.run(); !strings.Contains(got, "more than the limit of 256 MiB") {
		t.Errorf("status %q", got)
	}
}

// TestShare checks that a link restores the page's state, and that a damaged link gives an error message.
func TestShare(t *testing.T) {
	b := open(t, "")
	b.example("Filter of a picture", "convolve")
	b.set("arg-radius", "0")
	b.set("options", "-DN=16")
	b.do(chromedp.Click("#share", chromedp.ByQuery))
	b.wait("the link", `document.getElementById("link").value.includes("#s=")`)
	link := value[string](b, `document.getElementById("link").value`)
	first := b.run()
	picture := b.picture()
	b2 := open(t, link[strings.Index(link, "#"):])
	if got := value[string](b2, `document.getElementById("kernel").value + " " + document.getElementById("arg-radius").value + " " + document.getElementById("options").value`); got != "convolve 0 -DN=16" {
		t.Errorf("state %q", got)
	}
	if second := b2.run(); strings.Split(second, " in ")[0] != strings.Split(first, " in ")[0] {
		t.Errorf("status %q, first %q", second, first)
	}
	var a, c bytes.Buffer
	if err := errors.Join(png.Encode(&a, picture), png.Encode(&c, b2.picture())); err != nil || !bytes.Equal(a.Bytes(), c.Bytes()) {
		t.Errorf("the pictures differ (%v)", err)
	}
	b3 := open(t, link[strings.Index(link, "#"):len(link)/2])
	if got := b3.text("#status"); !strings.HasPrefix(got, "the link is damaged: ") {
		t.Errorf("status %q", got)
	}
}

// TestPanels tests expressions, and listings whose lines are linked to the source.
func TestPanels(t *testing.T) {
	b := open(t, "")
	b.do(chromedp.Click("#tab-eval", chromedp.ByQuery))
	b.set("eval-expression", "convert_uchar4_sat_rte((float4)(-5.0f, 254.5f, 254.6f, 1.2e9f))")
	b.do(chromedp.Focus("#eval-expression", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
	b.wait("the value", `document.getElementById("eval-log").innerText.includes("uchar4 (0, 254, 255, 255)")`)
	b.do(chromedp.Click("#tab-listing", chromedp.ByQuery))
	b.wait("the listing", `document.getElementById("listing-status").innerText.startsWith("avx2:")`)
	b.wait("colours in both", `document.querySelector("#listing [class*=hue-]") !== null && document.querySelector(".cm-line[class*=hue-]") !== null`)
	b.do(chromedp.Evaluate(`document.querySelector("#listing .row[class*=hue-]").onmouseenter()`, nil))
	b.wait("the line that is pointed at", `document.querySelector(".cm-line.linked") !== null`)
	b.set("listing-target", "ptx")
	b.wait("PTX", `document.getElementById("listing-status").innerText.startsWith("PTX:") && document.getElementById("listing").innerText.includes("ld.")`)
}

// words returns a value of the accessibility tree as text, "" if it is nil.
func words(t *testing.T, v *accessibility.Value) (s string) {
	t.Helper()
	if v == nil {
		return ""
	}
	if err := json.Unmarshal(v.Value, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAccessibility checks that the page's parts have roles and names, that Tab reaches every control, and that a
// phone's width needs no horizontal scrolling.
func TestAccessibility(t *testing.T) {
	b := open(t, "")
	b.run()
	var nodes []*accessibility.Node
	b.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		nodes, err = accessibility.GetFullAXTree().Do(ctx)
		return err
	}))
	var got []string
	for _, n := range nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		name, role := words(t, n.Name), words(t, n.Role)
		got = append(got, role+" "+name)
		switch role {
		case "button", "textbox", "combobox", "slider", "checkbox", "tab", "link", "progressbar", "image":
			if name == "" {
				t.Errorf("a %s has no name", role)
			}
		}
	}
	for _, want := range []string{"banner ", "main ", "contentinfo ", "region Source", "region Run", "region Output", "heading PureCL playground", "textbox OpenCL C source", "combobox Kernel", "combobox Examples",
		"group Arguments", "textbox limit", "slider limit, slider", "button Run", "button Stop", "button Share", "tab Result", "tab Listing", "tab Eval", "tab Explain", "tabpanel Result", "status ", "image picture of image, 512 × 512"} {
		if !slices.Contains(got, want) {
			t.Errorf("the accessibility tree has no %q", want)
		}
	}
	b.do(chromedp.Evaluate(`document.body.focus()`, nil))
	reached := map[string]bool{}
	for range 60 {
		b.do(chromedp.KeyEvent(kb.Tab))
		reached[value[string](b, `document.activeElement.id || document.activeElement.className.split(" ")[0]`)] = true
	}
	for _, id := range []string{"examples", "share", "theme", "cm-content", "options", "kernel", "arg-limit", "global", "checks", "workers", "run", "tab-result", "result-as"} {
		if !reached[id] {
			t.Errorf("Tab does not reach %s", id)
		}
	}
	b.do(emulation.SetDeviceMetricsOverride(360, 740, 2, true))
	if got := value[int](b, `document.documentElement.scrollWidth`); got > 360 {
		t.Errorf("a page of 360 pixels is %d wide", got)
	}
	for _, scheme := range []string{"dark", "light"} {
		b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
		back := value[string](b, `getComputedStyle(document.body).backgroundColor`)
		if (back == "rgb(255, 255, 255)") != (scheme == "light") {
			t.Errorf("%s: the background is %s", scheme, back)
		}
	}
	b.do(chromedp.Evaluate(`document.getElementById("theme").click()`, nil))
	if back := value[string](b, `getComputedStyle(document.body).backgroundColor`); back == "rgb(255, 255, 255)" {
		t.Error("the switch to dark colours has no effect")
	}
}

// TestStart measures the first load: its transferred size, and the time to the first diagnostics.
func TestStart(t *testing.T) {
	b := open(t, "")
	sent := value[float64](b, `performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).reduce((n, e) => n + e.encodedBodySize, 0)`)
	const most = 4_000_000
	t.Logf("first load: %.0f bytes", sent)
	if sent > most || sent < 1_000_000 {
		t.Errorf("the first load has %.0f bytes; the limit is %d", sent, most)
	}
	since := func(what string) float64 {
		return value[float64](b, fmt.Sprintf(`performance.getEntriesByName("purecl-diagnosed")[0].startTime - %s`, what))
	}
	t.Logf("first diagnostics %.0f ms after the last byte of the program, %.0f ms after the load event", since(`performance.getEntriesByType("resource").find((e) => e.name.endsWith("/purecl.wasm")).responseEnd`), since(`performance.getEntriesByType("navigation")[0].loadEventEnd`))
}

// Command pictures generates the pictures of the documentation in docs/pictures. Headless Chromium renders the
// playground and terminal sessions; the command line makes the drawings. make docs-pictures runs it, after make
// playground has built the page.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/purecl/purecl/internal/playground/site"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pictures: ")
	out := flag.String("out", "docs/pictures", "folder for the pictures")
	only := flag.String("only", "", "make only the picture of this name, such as playground.png")
	flag.Parse()
	if err := run(*out, *only); err != nil {
		log.Fatal(err)
	}
}

// A painter generates pictures.
type painter struct {
	purecl  string // path of the command line
	scratch string
}

func run(out, only string) error {
	dir, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := &painter{purecl: filepath.Join(dir, "purecl"), scratch: dir}
	if text, err := exec.Command("go", "build", "-o", p.purecl, "./cmd/purecl").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	for _, x := range p.pictures() {
		if only != "" && x.name != only {
			continue
		}
		log.Print(x.name)
		if err := x.make(filepath.Join(out, x.name)); err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
	}
	return nil
}

// A picture is a file with the function that generates it.
type picture struct {
	name string
	make func(file string) error
}

// pictures returns the documentation's pictures. A picture of a terminal is a row with [painter.terminal].
func (p *painter) pictures() []picture {
	return []picture{
		{"playground.png", p.playground(1280, 860, "Mandelbrot set", "mandelbrot")},
		{"playground-finding.png", p.playground(1280, 860, "Bug: reads beyond a picture", "convolve_careless", `document.querySelector("#findings button").click()`, `document.activeElement.blur()`)},
		{"playground-listing.png", p.playground(1280, 860, "saxpy", "saxpy", `document.getElementById("tab-listing").click()`, wait(`document.querySelector("#listing [class*=hue-]")`), `document.querySelector("#listing .row[class*=hue-]").onmouseenter()`)},
		{"playground-phone.png", p.playground(390, 844, "A wave and its plot", "wave", `document.getElementById("run").scrollIntoView()`)},
		{"plot-wave.svg", p.command("run", "docs/pictures/wave.cl", "-a", "y=zeros(1000)", "-q", "--plot", "y=FILE")},
		{"plot-heat.png", p.command("run", "docs/pictures/ripples.cl", "-a", "z=zeros(320x200)", "-q", "--plot", "z=FILE")},
		{"debugger.png", p.terminal("", "debug", "docs/pictures/sum.cl", "-a", "range(16)", "-a", "zeros(2)", "-a", "local(32)", "-g", "16", "-l", "8",
			"-x", "break 7 if get_global_id(0) == 9", "-x", "run", "-x", "grid", "-x", "locals")},
		{"profile.png", p.terminal("", "run", "examples/mandelbrot/mandelbrot.cl", "-a", "image=zeros(768x512)", "-a", "centre=(-0.6,0)", "-a", "scale=2.4", "-a", "limit=1000", "-o", "image=FILE", "--profile")},
	}
}

// wait returns JavaScript that waits until an expression is true.
func wait(js string) string {
	return `(async () => { for (let i = 0; i < 1200 && !(` + js + `); i++) await new Promise((r) => setTimeout(r, 50)); })()`
}

// command returns a function that runs purecl. FILE in the arguments is replaced by the picture's file.
func (p *painter) command(args ...string) func(string) error {
	return func(file string) error {
		words := make([]string, len(args))
		for i, a := range args {
			words[i] = replaceFile(a, file)
		}
		if text, err := exec.Command(p.purecl, words...).CombinedOutput(); err != nil {
			return fmt.Errorf("purecl %v: %w\n%s", words, err, text)
		}
		return nil
	}
}

// browse runs actions in headless Chromium with a window of the given size.
func browse(width, height int64, actions ...chromedp.Action) error {
	program, err := exec.LookPath("chromium")
	if err != nil {
		return fmt.Errorf("%w; sh setup.sh playground installs it", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.WSURLReadTimeout(2*time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	return chromedp.Run(ctx, append([]chromedp.Action{emulation.SetDeviceMetricsOverride(width, height, 1, width < 600)}, actions...)...)
}

// playground returns a function that runs an example's kernel and further JavaScript in the page, and takes a
// screenshot.
func (p *painter) playground(width, height int64, example, kernel string, then ...string) func(string) error {
	return func(file string) error {
		files := os.DirFS("internal/playground/site/dist")
		h, err := site.Handler(files)
		if err != nil {
			return errors.Join(err, errors.New("make playground makes the page"))
		}
		server := httptest.NewServer(h)
		defer server.Close()
		steps := append([]string{
			wait(`document.getElementById("kernel").value !== ""`),
			fmt.Sprintf(`(() => { const s = document.getElementById("examples"); s.value = [...s.options].find((o) => o.text === %q).value; s.onchange(); })()`, example),
			wait(fmt.Sprintf(`document.getElementById("kernel").value === %q && !document.getElementById("run").disabled`, kernel)),
			`document.getElementById("run").click()`,
			wait(`document.getElementById("stop").disabled && !document.getElementById("run").disabled`),
		}, then...)
		actions := []chromedp.Action{chromedp.Navigate(server.URL)}
		for _, js := range steps {
			actions = append(actions, chromedp.Evaluate(js, nil, awaits))
		}
		return browse(width, height, append(actions, chromedp.Sleep(300*time.Millisecond), screenshot(file, nil))...)
	}
}

// screenshot writes the window's contents, or a part of them, to a file.
func screenshot(file string, clip *page.Viewport) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		shot := page.CaptureScreenshot()
		if clip != nil {
			shot = shot.WithClip(clip)
		}
		b, err := shot.Do(ctx)
		if err != nil {
			return err
		}
		return os.WriteFile(file, b, 0o666)
	})
}

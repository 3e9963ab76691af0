package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

func replaceFile(arg, file string) string { return strings.ReplaceAll(arg, "FILE", file) }

// awaits makes an evaluation wait for JavaScript promises.
func awaits(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// terminal returns a function that runs purecl with an input; FILE in the arguments is replaced by a temporary
// file. The picture shows command and output as a terminal does, with colours. A debugger's session is a row with
// its commands as the input.
func (p *painter) terminal(input string, args ...string) func(string) error {
	return func(file string) error {
		words := make([]string, len(args))
		for i, a := range args {
			words[i] = replaceFile(a, filepath.Join(p.scratch, "out.png"))
		}
		cmd := exec.Command(p.purecl, words...)
		cmd.Stdin, cmd.Env = strings.NewReader(input), append(os.Environ(), "CLICOLOR_FORCE=1")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("purecl %v: %w\n%s", args, err, out.Bytes())
		}
		for i, a := range args {
			words[i] = replaceFile(a, "out.png")
			if strings.ContainsAny(a, " ()*?$") {
				words[i] = "'" + a + "'"
			}
		}
		return shoot("$ purecl "+strings.Join(words, " ")+"\n"+out.String(), file)
	}
}

// colors maps the codes of the escape sequences ESC[…m to CSS.
var colors = map[string]string{"1": "font-weight:bold", "2": "opacity:.7", "31": "color:#ff7b72", "32": "color:#7ee787", "33": "color:#e3b341", "34": "color:#79c0ff", "35": "color:#d2a8ff", "36": "color:#76e3ea", "7": "background:#e6e9ef;color:#14171c"}

var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// markup returns HTML of a terminal's text.
func markup(text string) string {
	var b strings.Builder
	open, at := 0, 0
	for _, m := range escape.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(html.EscapeString(text[at:m[0]]))
		at = m[1]
		for code := range strings.SplitSeq(text[m[2]:m[3]], ";") {
			if style := colors[strings.TrimPrefix(code, "0")]; style != "" {
				fmt.Fprintf(&b, `<span style="%s">`, style)
				open++
			} else {
				b.WriteString(strings.Repeat("</span>", open))
				open = 0
			}
		}
	}
	return b.String() + html.EscapeString(text[at:]) + strings.Repeat("</span>", open)
}

// shoot renders a terminal's text to a file.
func shoot(text, file string) error {
	doc := `<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#14171c}pre{display:inline-block;margin:0;padding:14px 18px;color:#e6e9ef;font:14px/1.35 "DejaVu Sans Mono","Liberation Mono",monospace;white-space:pre}</style><pre>` + markup(strings.TrimRight(text, "\n")) + `</pre>`
	var size []float64
	return browse(1600, 1200,
		chromedp.Navigate("data:text/html;base64,"+base64.StdEncoding.EncodeToString([]byte(doc))),
		chromedp.Evaluate(`(() => { const r = document.querySelector("pre").getBoundingClientRect(); return [r.width, r.height]; })()`, &size),
		chromedp.ActionFunc(func(ctx context.Context) error {
			return screenshot(file, &page.Viewport{Width: size[0], Height: size[1], Scale: 1}).Do(ctx)
		}))
}

package diag

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Style is a text form of diagnostics. The zero Style is for a build log: clang's form, without colour.
type Style struct {
	Color    bool // ANSI colours
	Codes    bool // show the codes of errors in brackets too; warnings always show [-Wname]
	NoSource bool // no source lines: one line for each message
	Width    int  // most columns of source text shown; 0 means 160
	Macros   int  // most macro expansions shown per diagnostic; 0 means 6
}

// Write writes the diagnostics of src in the style, followed by a count of warnings
// and errors. Each is
//
//	FILE:LINE:COLUMN: SEVERITY: MESSAGE [CODE]
//	 LINE | source text
//	      | ^~~~ label
//	      | replacement
//
// and then its notes, other labelled places and macro expansions in the same form.
func (st Style) Write(w io.Writer, src *Source, diags []*Diagnostic) error {
	r := renderer{Style: st, src: src}
	if r.Width <= 0 {
		r.Width = 160
	}
	if r.Macros <= 0 {
		r.Macros = 6
	}
	for _, d := range diags {
		r.diagnostic(d)
		if _, err := w.Write(r.b); err != nil {
			return err
		}
		r.b = r.b[:0]
	}
	if s := Summary(diags); s != "" {
		_, err := io.WriteString(w, s+"\n")
		return err
	}
	return nil
}

// BuildLog returns the diagnostics as the text of a program's build log
// (CL_PROGRAM_BUILD_LOG), as clang prints them.
func BuildLog(src *Source, diags []*Diagnostic) string {
	var b strings.Builder
	_ = Style{}.Write(&b, src, diags) // a Builder returns no errors
	return b.String()
}

// Summary counts, as in "1 warning and 2 errors generated."; it returns "" if there are none.
func Summary(diags []*Diagnostic) string {
	warnings, errors := 0, 0
	for _, d := range diags {
		switch {
		case d.Code == TooManyErrors:
		case d.Severity >= Error:
			errors++
		case d.Severity == Warning:
			warnings++
		}
	}
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{warnings, "warning"}, {errors, "error"}} {
		if c.n == 1 {
			parts = append(parts, "1 "+c.what)
		} else if c.n > 1 {
			parts = append(parts, strconv.Itoa(c.n)+" "+c.what+"s")
		}
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, " and ") + " generated."
}

// Tag returns the text in brackets after a message: "-Wname" for a warning, "-Werror,-Wname" for one that became an
// error, the code's name for an error.
func (d *Diagnostic) Tag() string {
	switch {
	case d.Code == nil:
		return ""
	case d.Promoted:
		return "-Werror,-W" + d.Code.Name
	case d.Code.Severity == Warning:
		return "-W" + d.Code.Name
	}
	return d.Code.Name
}

// ANSI escape sequences of the parts of a message.
const (
	ansiReset = "\x1b[0m"
	ansiBold  = "\x1b[1m"
	ansiCaret = "\x1b[1;32m"
	ansiFix   = "\x1b[32m"
)

var ansiSeverity = [...]string{Note: "\x1b[1;36m", Warning: "\x1b[1;35m", Error: "\x1b[1;31m", Fatal: "\x1b[1;31m"}

type renderer struct {
	Style
	src     *Source
	b       []byte
	include Pos // the #include of the last diagnostic's file
}

func (r *renderer) printf(format string, args ...any) { r.b = fmt.Appendf(r.b, format, args...) }

func (r *renderer) paint(color, text string) string {
	if !r.Color || text == "" {
		return text
	}
	return color + text + ansiReset
}

func (r *renderer) diagnostic(d *Diagnostic) {
	at := r.src.FileSpan(d.Span)
	r.includes(at.Pos)
	tag := ""
	if d.Code != nil && (r.Codes || d.Code.Severity == Warning) {
		tag = d.Tag()
	}
	r.headline(at.Pos, d.Severity, d.Message, tag)
	marks := []mark{{span: at, caret: true}}
	var elsewhere []Label
	for _, l := range d.Labels {
		if s := r.src.FileSpan(l.Span); r.sameLine(s.Pos, at.Pos) {
			marks = append(marks, mark{span: s, text: l.Text})
		} else if l.Span.IsValid() {
			elsewhere = append(elsewhere, l)
		}
	}
	r.snippet(marks, d.Fix)
	r.expansions(d.Span.Pos)
	for _, l := range elsewhere {
		r.note(l)
	}
	for _, l := range d.Notes {
		r.note(l)
	}
}

func (r *renderer) note(l Label) {
	at := r.src.FileSpan(l.Span)
	r.headline(at.Pos, Note, l.Text, "")
	r.snippet([]mark{{span: at, caret: true}}, nil)
	r.expansions(l.Span.Pos)
}

// headline writes "FILE:LINE:COLUMN: SEVERITY: MESSAGE [TAG]".
func (r *renderer) headline(p Pos, sev Severity, message, tag string) {
	if loc := r.src.Location(p); loc.File != "" {
		r.printf("%s ", r.paint(ansiBold, fmt.Sprintf("%s:%d:%d:", loc.File, loc.Line, loc.Column)))
	}
	if tag != "" {
		message += " [" + tag + "]"
	}
	if sev > Note {
		message = r.paint(ansiBold, message)
	}
	r.printf("%s %s\n", r.paint(ansiSeverity[sev], sev.String()+":"), message)
}

// includes writes the chain of #include directives that led to p's file, outermost last, unless the previous
// diagnostic had the same chain.
func (r *renderer) includes(p Pos) {
	f, _ := r.src.File(p)
	if f == nil || f.Include == r.include {
		return
	}
	r.include = f.Include
	for n := 0; f != nil && f.Include.IsValid(); n++ {
		if n == 20 {
			r.printf("(more files omitted)\n")
			return
		}
		loc := r.src.Location(f.Include)
		r.printf("In file included from %s:%d:\n", loc.File, loc.Line)
		f, _ = r.src.File(r.src.Outermost(f.Include))
	}
}

// expansions writes a note for each macro whose expansion contains p, from the macro that the program invokes
// inwards. Each note refers to the macro's definition, at the next macro or at p.
func (r *renderer) expansions(p Pos) {
	type step struct {
		macro string
		at    Pos // in the macro's definition
	}
	var chain []step // innermost first
	for len(chain) < 1000 {
		x, spelled := r.src.Expansion(p)
		if x == nil {
			break
		}
		if x.Arg { // it is where the argument was written, outside of the macro
			p = spelled
			continue
		}
		chain = append(chain, step{x.Macro, spelled})
		p = x.Call.Pos
	}
	skip := len(chain) - r.Macros
	for i := len(chain) - 1; i >= 0; i-- {
		if skip > 0 && i == len(chain)-1-r.Macros/2 {
			r.printf("%s (skipping %d expansions in the chain of macros)\n", r.paint(ansiSeverity[Note], "note:"), skip)
			i -= skip - 1
			continue
		}
		r.headline(chain[i].at, Note, "expanded from macro '"+chain[i].macro+"'", "")
		r.snippet([]mark{{span: r.tokenAt(chain[i].at), caret: true}}, nil)
	}
}

// tokenAt returns the span of the identifier or number at p, else of one byte.
func (r *renderer) tokenAt(p Pos) Span {
	f, off := r.src.File(p)
	if f == nil {
		return Span{p, p + 1}
	}
	end := off
	for end < len(f.Src) && end-off < 256 && (f.Src[end] == '_' || f.Src[end] >= 0x80 || f.Src[end]|0x20 >= 'a' && f.Src[end]|0x20 <= 'z' || f.Src[end] >= '0' && f.Src[end] <= '9') {
		end++
	}
	return Span{p, p + Pos(max(end-off, 1))}
}

func (r *renderer) sameLine(p, q Pos) bool {
	f, i := r.src.File(p)
	g, j := r.src.File(q)
	if f == nil || f != g {
		return false
	}
	a, _ := f.LineCol(i)
	b, _ := f.LineCol(j)
	return a == b
}

// A mark is a part of a source line to underline.
type mark struct {
	span  Span
	caret bool
	text  string
}

// snippet writes the source line of the first mark, underlines all marks, which are on that line, and writes the
// fix below.
func (r *renderer) snippet(marks []mark, fix *Fix) {
	f, off := r.src.File(marks[0].span.Pos)
	if f == nil || r.NoSource {
		return
	}
	line, col := f.LineCol(off)
	text := f.Line(line)
	if len(text) == 0 {
		return
	}
	v := newView(text, col-1, r.Width)
	gutter := fmt.Sprintf("%5d | ", f.location(off).Line)
	blank := strings.Repeat(" ", len(gutter)-2) + "| "
	r.printf("%s%s\n", gutter, v.text)

	start := off - (col - 1) // offset of the line
	var under []byte
	put := func(i int, c byte) {
		for len(under) <= i {
			under = append(under, ' ')
		}
		under[i] = c
	}
	var labels []label
	for k := len(marks) - 1; k >= 0; k-- {
		m := marks[k]
		from := int(m.span.Pos-f.base) - start
		to := from + int(m.span.End-m.span.Pos)
		a := v.column(from)
		b := max(v.column(min(to, len(text))), a+1)
		for i := a; i < b; i++ {
			put(i, '~')
		}
		if m.caret {
			put(a, '^')
		}
		if m.text != "" {
			labels = append(labels, label{a, m.text})
		}
	}
	r.underline(blank, string(under), labels)
	if fix != nil && r.sameLine(fix.Span.Pos, marks[0].span.Pos) && fix.Text != "" {
		from := int(r.src.Outermost(fix.Span.Pos)-f.base) - start
		for i, l := range strings.Split(fix.Text, "\n") {
			if i == 0 {
				l = strings.Repeat(" ", v.column(from)) + r.paint(ansiFix, l)
			}
			r.printf("%s%s\n", blank, l)
		}
	}
}

// A label is a text for a display column of the line above.
type label struct {
	col  int
	text string
}

// underline writes the line of carets, with the rightmost label after it, and then the other labels, each on a
// separate line, connected by bars.
func (r *renderer) underline(blank, under string, labels []label) {
	for i := 1; i < len(labels); i++ { // insertion sort by column; there are few
		for k := i; k > 0 && labels[k].col < labels[k-1].col; k-- {
			labels[k], labels[k-1] = labels[k-1], labels[k]
		}
	}
	last := ""
	if n := len(labels); n > 0 && !strings.ContainsAny(under[labels[n-1].col:], " ") {
		last = " " + labels[n-1].text
		labels = labels[:n-1]
	}
	r.printf("%s%s%s\n", blank, r.paint(ansiCaret, under), last)
	for n := len(labels); n > 0; n-- {
		var bars []byte
		for _, l := range labels[:n-1] {
			for len(bars) < l.col {
				bars = append(bars, ' ')
			}
			if len(bars) == l.col {
				bars = append(bars, '|')
			}
		}
		l := labels[n-1]
		if len(bars) > l.col {
			bars = bars[:l.col]
		}
		r.printf("%s%s%s%s\n", blank, bars, strings.Repeat(" ", l.col-len(bars)), l.text)
	}
}

// A view is the displayed part of a source line, as text for a terminal.
type view struct {
	text  string
	first int   // byte of the line at which it begins
	cols  []int // display column of each byte from first on, and of the end
}

// newView returns the view of a line around the byte at, about width columns wide. Tabs advance to multiples of 8.
// An unprintable character is shown as its number, like <U+200B>, or as its byte, like <FF>. newView examines only
// the visible part, so that a line may have any length.
func newView(line []byte, at, width int) view {
	at = min(at, len(line))
	first, last := 0, len(line)
	if len(line) > width {
		first = max(0, min(at-width/3, len(line)-width))
		last = min(len(line), first+width)
		for first > 0 && !utf8.RuneStart(line[first]) {
			first--
		}
		for last < len(line) && !utf8.RuneStart(line[last]) {
			last++
		}
	}
	v := view{first: first}
	var b strings.Builder
	col := 0
	if first > 0 {
		b.WriteString("...")
		col = 3
	}
	for part := line[first:last]; len(part) > 0; {
		c, n := utf8.DecodeRune(part)
		for range n {
			v.cols = append(v.cols, col)
		}
		switch {
		case c == '\t':
			k := 8 - col%8
			b.WriteString(strings.Repeat(" ", k))
			col += k
		case c == utf8.RuneError && n <= 1:
			fmt.Fprintf(&b, "<%02X>", part[0])
			col += 4
		case !unicode.IsPrint(c) && !unicode.Is(unicode.Mn, c):
			s := fmt.Sprintf("<U+%04X>", c)
			b.WriteString(s)
			col += len(s)
		default:
			b.WriteRune(c)
			col += runeWidth(c)
		}
		part = part[n:]
	}
	v.cols = append(v.cols, col)
	if last < len(line) {
		b.WriteString("...")
	}
	v.text = string(bytes.TrimRight([]byte(b.String()), " "))
	return v
}

// column returns the display column of the line's byte off, clamped to the view.
func (v *view) column(off int) int {
	return v.cols[max(0, min(off-v.first, len(v.cols)-1))]
}

// wide lists the ranges of East Asian wide and fullwidth characters (Unicode TR 11).
var wide = [...][2]rune{{0x1100, 0x115F}, {0x231A, 0x231B}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xA960, 0xA97C}, {0xAC00, 0xD7A3},
	{0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF},
	{0x20000, 0x3FFFD}}

// runeWidth returns the width of a printable character in columns of a terminal.
func runeWidth(c rune) int {
	if c < 0x300 {
		return 1
	}
	if unicode.In(c, unicode.Mn, unicode.Me) {
		return 0
	}
	for _, w := range wide {
		if c >= w[0] && c <= w[1] {
			return 2
		}
	}
	return 1
}

// One returns a single diagnostic as text, without a count.
func (st Style) One(src *Source, d *Diagnostic) string {
	r := renderer{Style: st, src: src}
	if r.Width <= 0 {
		r.Width = 160
	}
	if r.Macros <= 0 {
		r.Macros = 6
	}
	r.diagnostic(d)
	return string(r.b)
}

package pages

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Page is a Markdown file.
type Page struct {
	File    string // slash-separated path from the module's root
	Blocks  []Block
	Links   []Link
	Anchors map[string]bool // the headings' anchors, by GitHub's rules
}

// A Block is a fenced code block.
type Block struct {
	Line      int // of its opening fence, from 1
	Lang      string
	Name      string   // file to write it to, or ""
	Words     []string // after the name
	Directive string   // text of the comment before it
	Text      string
}

// Directives are the words of a comment "<!-- test: … -->" before a block, with their meanings.
var Directives = map[string]string{
	"user":   "done by a new user on a clean machine, in make check-long (TestNewUser)",
	"driver": "needs libpurecl.so, a C compiler and the OpenCL loader. In make check-long",
	"none":   "not run: the comment says why",
}

// A Link is a link to another place.
type Link struct {
	Line   int
	Target string
}

var (
	fence     = regexp.MustCompile("^\\s*```\\s*(.*)$")
	directive = regexp.MustCompile(`^<!-- test: (\w+)\b.*-->$`)
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading   = regexp.MustCompile(`^#{1,6} +(.*)$`)
	code      = regexp.MustCompile("`[^`]*`")
	unanchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Read reads a page of the module whose root is at dir.
func Read(dir, file string) (*Page, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		return nil, err
	}
	p := &Page{File: file, Anchors: map[string]bool{}}
	var block *Block
	next := ""
	sc := bufio.NewScanner(strings.NewReader(string(data)))
	sc.Buffer(nil, 1<<22)
	for n := 1; sc.Scan(); n++ {
		line := sc.Text()
		m := fence.FindStringSubmatch(line)
		switch {
		case block != nil && m != nil:
			p.Blocks = append(p.Blocks, *block)
			block = nil
		case block != nil:
			block.Text += line + "\n"
		case m != nil:
			block = &Block{Line: n, Directive: next}
			next = ""
			if words := strings.Fields(m[1]); len(words) > 0 {
				block.Lang, words = words[0], words[1:]
				if len(words) > 0 {
					block.Name, block.Words = words[0], words[1:]
				}
			}
		default:
			if m := directive.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				if _, ok := Directives[m[1]]; !ok {
					return nil, fmt.Errorf("%s:%d: no directive %q", file, n, m[1])
				}
				next = m[1]
			}
			if m := heading.FindStringSubmatch(line); m != nil {
				p.Anchors[anchor(m[1])] = true
			}
			for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(line, ""), -1) {
				p.Links = append(p.Links, Link{n, m[1]})
			}
		}
	}
	if block != nil {
		return nil, fmt.Errorf("%s:%d: the code block has no end", file, block.Line)
	}
	return p, sc.Err()
}

// anchor returns GitHub's anchor of a heading.
func anchor(text string) string {
	text = unanchor.ReplaceAllString(strings.ToLower(text), "")
	return strings.ReplaceAll(strings.TrimSpace(text), " ", "-")
}

// A Command is a line of a console block.
type Command struct {
	Line   int
	Text   string
	Exit   int
	Output string
}

var exit = regexp.MustCompile(`\s+# exit (\d+)$`)

// Commands splits a console block.
func (b *Block) Commands() (list []Command, err error) {
	for n, line := range strings.SplitAfter(b.Text, "\n") {
		switch text, ok := strings.CutPrefix(line, "$ "); {
		case ok:
			c := Command{Line: b.Line + 1 + n, Text: strings.TrimSpace(text)}
			if m := exit.FindStringSubmatch(c.Text); m != nil {
				fmt.Sscan(m[1], &c.Exit)
				c.Text = strings.TrimSuffix(c.Text, m[0])
			}
			list = append(list, c)
		case line == "":
		case len(list) == 0:
			return nil, fmt.Errorf("line %d: a console block begins with \"$ \" and a command", b.Line+1+n)
		default:
			list[len(list)-1].Output += line
		}
	}
	return list, nil
}

// Match reports whether got matches want, in which "..." is any text. Trailing space of lines is ignored.
func Match(want, got string) bool {
	parts := strings.Split(trimLines(want), "...")
	for i, x := range parts {
		parts[i] = regexp.QuoteMeta(x)
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, ".*") + `$`).MatchString(trimLines(got))
}

func trimLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return strings.Join(lines, "\n")
}

// An Edit replaces lines of a page.
type Edit struct {
	Line, Count int // the first line, from 1, and the number of lines
	Text        string
}

// Rewrite applies edits, which must be in ascending order.
func (p *Page) Rewrite(dir string, edits []Edit) error {
	path := filepath.Join(dir, filepath.FromSlash(p.File))
	data, err := os.ReadFile(path)
	if err != nil || len(edits) == 0 {
		return err
	}
	lines := strings.SplitAfter(string(data), "\n")
	for _, e := range slices.Backward(edits) {
		text := e.Text
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		lines = slices.Replace(lines, e.Line-1, e.Line-1+e.Count, text)
	}
	return os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666)
}

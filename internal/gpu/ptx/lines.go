package ptx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
)

// lines writes .loc directives: each names the source line of the instructions that follow it.
type lines struct {
	names []string // names of files; their numbers begin with 1
	now   sourceLine
	last  map[*strings.Builder]sourceLine // the last directive written to each part of the text
}

type sourceLine struct{ file, line int }

// at sets the source line of the next instructions.
func (l *lines) at(where diag.Location) {
	n := slices.Index(l.names, where.File)
	if n < 0 {
		n = len(l.names)
		l.names = append(l.names, where.File)
	}
	l.now = sourceLine{n + 1, where.Line}
}

// directive writes the current line to a part of the text, if it differs from that part's last directive.
func (l *lines) directive(to *strings.Builder) {
	if l.now.line == 0 || l.last[to] == l.now {
		return
	}
	if l.last == nil {
		l.last = map[*strings.Builder]sourceLine{}
	}
	l.last[to] = l.now
	fmt.Fprintf(to, "\t.loc %d %d 0\n", l.now.file, l.now.line)
}

// files writes the module's table of files.
func (l *lines) files(to *strings.Builder) {
	for i, name := range l.names {
		fmt.Fprintf(to, ".file %d %q\n", i+1, name)
	}
}

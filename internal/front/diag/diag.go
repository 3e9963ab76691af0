package diag

import (
	"fmt"
	"strings"
)

// A Severity is the importance of a diagnostic.
type Severity uint8

// The severities.
const (
	Note Severity = iota
	Warning
	Error
	Fatal // the compilation stops here
)

func (s Severity) String() string { return [...]string{"note", "warning", "error", "fatal error"}[s] }

// A Label marks a secondary position of a diagnostic.
type Label struct {
	Span Span
	Text string
}

// A Fix is an edit that would repair the program: Span is replaced by Text.
type Fix struct {
	Span Span
	Text string
}

// A Diagnostic is a finding about the program.
type Diagnostic struct {
	Severity Severity
	Code     *Code
	Message  string // lower case, no full stop
	Span     Span
	Labels   []Label // shown underlined together with Span
	Notes    []Label // shown after it, each at its own position (or none)
	Fix      *Fix
	Promoted bool // a warning that -Werror made an error
}

// Label adds a labelled secondary span and returns d.
func (d *Diagnostic) Label(s Span, format string, args ...any) *Diagnostic {
	if d != nil {
		d.Labels = append(d.Labels, Label{s, fmt.Sprintf(format, args...)})
	}
	return d
}

// Note adds a note and returns d. The span may be the zero Span.
func (d *Diagnostic) Note(s Span, format string, args ...any) *Diagnostic {
	if d != nil {
		d.Notes = append(d.Notes, Label{s, fmt.Sprintf(format, args...)})
	}
	return d
}

// Replace sets the fix and returns d.
func (d *Diagnostic) Replace(s Span, text string) *Diagnostic {
	if d != nil {
		d.Fix = &Fix{s, text}
	}
	return d
}

// A Reporter collects the diagnostics of one compilation in order of report.
// Every method returns a *Diagnostic that may be nil (suppressed); the methods of
// Diagnostic accept that.
type Reporter struct {
	Source *Source
	Config Config
	Diags  []*Diagnostic
	Errors int // number of errors so far, promoted warnings included
	capped bool

	pragmas   pragmaState
	anyPragma bool // pragmas have changed warning levels somewhere
}

// level returns the level of the warning c at p.
func (r *Reporter) level(c *Code, p Pos) Level {
	if r.anyPragma && p.IsValid() {
		return r.Source.level(c, p, c.Off, &r.Config)
	}
	return r.Config.level(c, c.Off)
}

// Wants reports whether the warning c is enabled anywhere.
func (r *Reporter) Wants(c *Code) bool { return r.anyPragma || r.Config.level(c, c.Off) != Ignored }

// A Config selects warnings.
type Config struct {
	NoWarnings bool            // -w
	Werror     bool            // -Werror
	Enable     map[string]bool // -Wname: true, -Wno-name: false; also groups: all, extra, pedantic, everything
	ErrorOf    map[string]bool // -Werror=name: true, -Wno-error=name: false
	MaxErrors  int             // 0 means 20, negative no limit
}

// NewReporter returns a reporter for positions of src. cfg applies to the files added to src from now on.
func NewReporter(src *Source, cfg Config) *Reporter {
	src.config = &cfg
	return &Reporter{Source: src, Config: cfg}
}

// Failed reports whether an error was reported.
func (r *Reporter) Failed() bool { return r.Errors > 0 }

// Full reports whether the cap on errors was reached: the caller may stop.
func (r *Reporter) Full() bool { return r.capped }

// Report reports a diagnostic with the code's own severity.
func (r *Reporter) Report(c *Code, s Span, format string, args ...any) *Diagnostic {
	sev, promoted := c.Severity, false
	if sev == Warning {
		switch r.level(c, s.Pos) {
		case Ignored:
			return nil
		case AsError:
			sev, promoted = Error, true
		}
	}
	if r.capped {
		return nil
	}
	msg := format
	if len(args) > 0 {
		msg = fmt.Sprintf(format, args...)
	}
	d := &Diagnostic{Severity: sev, Code: c, Message: msg, Span: s, Promoted: promoted}
	if n := len(r.Diags); n > 0 && r.Diags[n-1].Code == c && r.Diags[n-1].Span == s && r.Diags[n-1].Message == d.Message {
		return nil
	}
	r.Diags = append(r.Diags, d)
	if sev >= Error {
		r.Errors++
		limit := r.Config.MaxErrors
		if limit == 0 {
			limit = 20
		}
		if limit > 0 && r.Errors >= limit {
			r.capped = true
			r.Diags = append(r.Diags, &Diagnostic{Severity: Fatal, Code: TooManyErrors, Message: "too many errors emitted, stopping now", Span: s})
		}
	}
	return d
}

// A List is the diagnostics of a failed compilation as an error.
type List struct {
	Source *Source
	Diags  []*Diagnostic
}

func (l *List) Error() string {
	var b strings.Builder
	for _, d := range l.Diags {
		if d.Severity < Error {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		loc := l.Source.Location(d.Span.Pos)
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s", loc.File, loc.Line, loc.Column, d.Severity, d.Message)
	}
	return b.String()
}

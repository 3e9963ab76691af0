package diag

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"unicode/utf8"
)

// A JSONPlace is a part of a source file: lines and byte columns from 1, the end
// exclusive. #line directives are honoured in File and Line.
type JSONPlace struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

// A JSONLabel is a secondary position of a diagnostic with a text.
type JSONLabel struct {
	Message string     `json:"message"`
	Place   *JSONPlace `json:"place,omitempty"`
}

// A JSONMacro is a step of a macro chain.
type JSONMacro struct {
	Name  string    `json:"name"`
	Place JSONPlace `json:"place"` // position in the macro's definition
}

// A JSONFix is an edit that would repair the program.
type JSONFix struct {
	Place JSONPlace `json:"place"`
	Text  string    `json:"text"`
}

// A JSONDiagnostic is a Diagnostic in JSON for other programs.
type JSONDiagnostic struct {
	Severity string      `json:"severity"` // "note", "warning", "error" or "fatal error"
	Code     string      `json:"code"`     // for `purecl explain CODE`
	Message  string      `json:"message"`
	Place    *JSONPlace  `json:"place,omitempty"`
	Labels   []JSONLabel `json:"labels,omitempty"` // shown together with Place
	Notes    []JSONLabel `json:"notes,omitempty"`
	Macros   []JSONMacro `json:"macros,omitempty"`   // macros that produced the text, outermost first
	Includes []JSONPlace `json:"includes,omitempty"` // #include directives that lead to the file, innermost first
	Fix      *JSONFix    `json:"fix,omitempty"`
	Promoted bool        `json:"promoted,omitempty"` // a warning that -Werror made an error
}

// JSON returns d in the form for other programs.
func (d *Diagnostic) JSON(src *Source) JSONDiagnostic {
	j := JSONDiagnostic{Severity: d.Severity.String(), Message: d.Message, Promoted: d.Promoted, Place: src.place(d.Span)}
	if d.Code != nil {
		j.Code = d.Code.Name
	}
	for _, l := range d.Labels {
		j.Labels = append(j.Labels, JSONLabel{l.Text, src.place(l.Span)})
	}
	for _, l := range d.Notes {
		j.Notes = append(j.Notes, JSONLabel{l.Text, src.place(l.Span)})
	}
	if d.Fix != nil {
		if p := src.place(d.Fix.Span); p != nil {
			j.Fix = &JSONFix{*p, d.Fix.Text}
		}
	}
	for p := d.Span.Pos; ; {
		x, spelled := src.Expansion(p)
		if x == nil {
			break
		}
		if x.Arg {
			p = spelled
			continue
		}
		if at := src.place(Span{spelled, spelled + 1}); at != nil {
			j.Macros = append([]JSONMacro{{x.Macro, *at}}, j.Macros...)
		}
		p = x.Call.Pos
	}
	for f, _ := src.File(src.Outermost(d.Span.Pos)); f != nil && f.Include.IsValid(); f, _ = src.File(src.Outermost(f.Include)) {
		j.Includes = append(j.Includes, *src.place(Span{f.Include, f.Include + 1}))
	}
	return j
}

// place resolves a span; nil if it has no position.
func (s *Source) place(sp Span) *JSONPlace {
	at := s.FileSpan(sp)
	f, off := s.File(at.Pos)
	if f == nil {
		return nil
	}
	from, to := f.location(off), f.location(off+int(at.End-at.Pos))
	return &JSONPlace{from.File, from.Line, from.Column, to.Line, to.Column}
}

// WriteJSON writes the diagnostics as an array of JSONDiagnostic.
func WriteJSON(w io.Writer, src *Source, diags []*Diagnostic) error {
	list := make([]JSONDiagnostic, 0, len(diags))
	for _, d := range diags {
		list = append(list, d.JSON(src))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(list)
}

// The parts of SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format") used.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri,omitempty"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
		Help             sarifText `json:"help"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
		Fixes     []sarifFix      `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

// A Finding is a diagnostic with the source that its positions refer to.
type Finding struct {
	Source *Source
	*Diagnostic
}

// WriteSARIF writes findings, of any number of sources, as a SARIF 2.1.0 log with one
// run of the tool purecl in the given version.
func WriteSARIF(w io.Writer, version string, findings []Finding) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	driver := &run.Tool.Driver
	*driver = sarifDriver{Name: "purecl", Version: version, Rules: []sarifRule{}}
	rules := map[*Code]int{}
	for _, d := range findings {
		code := d.Code
		if code == nil {
			continue
		}
		k, ok := rules[code]
		if !ok {
			k = len(driver.Rules)
			rules[code] = k
			driver.Rules = append(driver.Rules, sarifRule{code.Name, sarifText{code.Name}, sarifText{code.Doc}})
		}
		res := sarifResult{RuleID: code.Name, RuleIndex: k, Message: sarifText{d.Message},
			Level: [...]string{Note: "note", Warning: "warning", Error: "error", Fatal: "error"}[d.Severity]}
		if at, ok := d.Source.sarif(d.Span); ok {
			res.Locations = []sarifLocation{{Physical: at}}
		}
		for _, list := range [][]Label{d.Labels, d.Notes} {
			for _, l := range list {
				if at, ok := d.Source.sarif(l.Span); ok {
					res.Related = append(res.Related, sarifLocation{len(res.Related) + 1, at, &sarifText{l.Text}})
				}
			}
		}
		if d.Fix != nil {
			if at, ok := d.Source.sarif(d.Fix.Span); ok {
				res.Fixes = []sarifFix{{sarifText{"replace by '" + d.Fix.Text + "'"},
					[]sarifChange{{at.Artifact, []sarifReplacement{{at.Region, sarifText{d.Fix.Text}}}}}}}
			}
		}
		run.Results = append(run.Results, res)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// sarif resolves a span to a region in code points of the physical file.
func (s *Source) sarif(sp Span) (p sarifPhysical, ok bool) {
	at := s.FileSpan(sp)
	f, off := s.File(at.Pos)
	if f == nil {
		return p, false
	}
	end := min(off+int(at.End-at.Pos), len(f.Src))
	point := func(off int) (line, col int) {
		line, col = f.LineCol(off)
		return line, utf8.RuneCount(f.Src[off-(col-1):off]) + 1
	}
	p.Artifact.URI = sarifURI(f.Name)
	p.Region.StartLine, p.Region.StartColumn = point(off)
	p.Region.EndLine, p.Region.EndColumn = point(max(end, off))
	return p, true
}

// sarifURI converts a file name to a relative or absolute URI reference.
func sarifURI(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}

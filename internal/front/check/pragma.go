package check

import (
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
)

// pragmas adds to unit the state that pragmas change: enabled extensions, the contraction of expressions, the
// packing of records. It executes pragmas, and knows nothing of the declarations that they apply to.
type pragmas struct {
	unit
	ext      map[string]bool // state of extensions that pragmas changed
	contract bool            // the current FP_CONTRACT; on by default
	pack     int64           // from #pragma pack: the greatest alignment of members, 0 for no limit
	packs    []int64         // the values of pack that pack(push) has saved
}

// enabled reports whether an extension that needs a pragma is enabled here.
func (c *pragmas) enabled(name string) bool { return c.ext[name] && c.supported(name) }

// pragma executes a pragma that the preprocessor left (OpenCL C, "Optional Extensions", 6.2.1).
func (c *pragmas) pragma(p *syntax.PragmaDecl) {
	w := p.Words
	if len(w) < 2 {
		return
	}
	switch w[0].Text {
	case "pack":
		c.pragmaPack(p)
	case "OPENCL", "STDC":
		switch w[1].Text {
		case "EXTENSION":
			c.pragmaExtension(p)
		case "FP_CONTRACT":
			c.pragmaContract(p)
		default:
			c.rep.Report(diag.UnknownPragmas, w[1].Span(), "unknown pragma ignored")
		}
	}
}

// pragmaPack executes "#pragma pack", which limits the alignment of members: pack(n), pack(), pack(push),
// pack(push, n), pack(pop).
func (c *pragmas) pragmaPack(p *syntax.PragmaDecl) {
	var words []string
	for _, t := range p.Words[1:] {
		if t.Kind != token.Comma {
			words = append(words, t.Text)
		}
	}
	bad := func() {
		c.rep.Report(diag.IgnoredPragmas, p.Words[0].Span(), "expected '#pragma pack([push,] n)' or 'pack(pop)' - ignored")
	}
	if len(words) < 2 || words[0] != "(" || words[len(words)-1] != ")" {
		bad()
		return
	}
	words = words[1 : len(words)-1]
	value := int64(0)
	if len(words) > 0 {
		switch words[0] {
		case "push":
			c.packs = append(c.packs, c.pack)
			if words = words[1:]; len(words) == 0 {
				return
			}
		case "pop":
			if len(c.packs) == 0 {
				c.rep.Report(diag.IgnoredPragmas, p.Words[0].Span(), "#pragma pack(pop, ...) failed: stack empty")
				return
			}
			c.pack, c.packs = c.packs[len(c.packs)-1], c.packs[:len(c.packs)-1]
			return
		}
		n, err := strconv.ParseInt(words[0], 0, 64)
		if err != nil || n < 1 || n > 16 || n&(n-1) != 0 || len(words) != 1 {
			bad()
			return
		}
		value = n
	}
	c.pack = value
}

func (c *pragmas) pragmaContract(p *syntax.PragmaDecl) {
	if len(p.Words) >= 3 {
		switch p.Words[2].Text {
		case "ON", "DEFAULT":
			c.contract = true
			return
		case "OFF":
			c.contract = false
			return
		}
	}
	at := p.Words[len(p.Words)-1].Span()
	c.rep.Report(diag.IgnoredPragmas, at, "expected 'ON' or 'OFF' or 'DEFAULT' in pragma")
}

func (c *pragmas) pragmaExtension(p *syntax.PragmaDecl) {
	w := p.Words
	if len(w) < 5 || w[3].Kind != token.Colon {
		c.rep.Report(diag.IgnoredPragmas, w[min(len(w)-1, 2)].Span(), "expected '#pragma OPENCL EXTENSION name : behavior'; pragma ignored")
		return
	}
	name, how := w[2].Text, w[4].Text
	switch how {
	case "enable", "disable", "begin", "end":
	case "require", "warn":
		how = "enable"
	default:
		c.rep.Report(diag.IgnoredPragmas, w[4].Span(), "expected 'enable', 'disable', 'begin' or 'end' - ignoring")
		return
	}
	if c.ext == nil {
		c.ext = map[string]bool{}
	}
	switch {
	case name == "all":
		if how == "enable" {
			c.rep.Report(diag.IgnoredPragmas, w[4].Span(), "expected 'disable' - ignoring")
			return
		}
		clear(c.ext)
	case how == "begin" || how == "end":
	case c.inCore(name) && c.supported(name):
		c.rep.Report(diag.CoreExtension, w[2].Span(), "OpenCL extension '%s' is core feature or supported optional core feature - ignoring", name)
	case c.supported(name) || name == bitFieldExtension:
		c.ext[name] = how == "enable"
	case strings.HasPrefix(name, "cl_") && how == "disable":
	case opencl.NamesExtension(name):
		c.rep.Report(diag.IgnoredPragmas, w[2].Span(), "unsupported OpenCL extension '%s' - ignoring", name)
	default:
		c.rep.Report(diag.IgnoredPragmas, w[2].Span(), "unknown OpenCL extension '%s' - ignoring", name)
	}
}

// halfAllowed reports a declaration of type half if cl_khr_fp16 is not enabled.
func (c *pragmas) halfAllowed(s diag.Span, format string) bool {
	if c.enabled("cl_khr_fp16") {
		return true
	}
	c.err(diag.HalfDeclaration, s, format, "half").
		Note(diag.Span{}, "half as a value needs '#pragma OPENCL EXTENSION cl_khr_fp16 : enable'")
	return false
}

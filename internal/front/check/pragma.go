package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
)

// supported reports whether the device has an extension or feature.
func (c *checker) supported(name string) bool { return c.opts.Supported(name) }

// hasFeature reports whether the program has an optional feature of OpenCL C 3.0. Older versions may include it.
func (c *checker) hasFeature(name string) bool {
	return c.std == opencl.CL20 && opencl.FindExtension(name).In20 || c.supported(name)
}

// inCore reports whether the version includes an extension: a pragma for it has no effect (clang warns in
// pedantic mode only).
func (c *checker) inCore(name string) bool {
	x := opencl.FindExtension(name)
	return x != nil && x.Core != 0 && c.std >= x.Core
}

// enabled reports whether an extension that needs a pragma is enabled here.
func (c *checker) enabled(name string) bool { return c.ext[name] && c.supported(name) }

// builtinExtension reports to package builtin whether an extension exists. Functions of an extension are visible
// whether the device supports it or not, as with clang's header for a target with all extensions: such a call
// compiles, and fails if the function has no body.
func (c *checker) builtinExtension(name string) bool {
	return c.supported(name) || strings.HasPrefix(name, "cl_khr_") && !c.opts.Withdrawn(name)
}

// pragma executes a pragma that the preprocessor left (OpenCL C, "Optional Extensions", 6.2.1).
func (c *checker) pragma(p *syntax.PragmaDecl) {
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
func (c *checker) pragmaPack(p *syntax.PragmaDecl) {
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

func (c *checker) pragmaContract(p *syntax.PragmaDecl) {
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

func (c *checker) pragmaExtension(p *syntax.PragmaDecl) {
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

// builtinNames lists the visible builtin functions, for suggestions.
func (c *checker) builtinNames() []string { return slices.Collect(builtin.Names(&c.env)) }

// loopHints evaluates the attributes of a loop and returns the unroll factor, see Loop.Unroll.
func (c *checker) loopHints(list []*syntax.Attr) int {
	n := 0
	for _, at := range list {
		if at.Name == "unroll" || at.Name == "nounroll" {
			n = c.pragmaUnroll(at)
		} else if a := c.attributes([]*syntax.Attr{at}, onStmt); a.unroll != 0 {
			n = a.unroll
		}
	}
	return n
}

// pragmaUnroll evaluates "#pragma unroll", "#pragma unroll n" and "#pragma nounroll".
func (c *checker) pragmaUnroll(at *syntax.Attr) int {
	if at.Name == "nounroll" {
		return 1
	}
	if len(at.Args) == 0 || at.Args[0].X == nil {
		return -1
	}
	n, ok := c.attrInt(at, 0)
	if !ok || n == 0 {
		return 1
	}
	if n < 0 || n > 1<<20 {
		c.err(diag.AttributeArguments, at.Args[0].X.Span(), "invalid value '%s'; must be positive", strconv.FormatInt(n, 10))
		return 0
	}
	return int(n)
}

// Package gosource finds OpenCL C in Go source files: string literals passed to purecl's Compile, and files passed
// to it by name or through //go:embed directives.
//
// Input: the text of a Go file, which may be invalid. Output: for each literal a text of the file's length that is
// blank outside of the kernel's source. Offsets in both texts are equal, so that package ide needs no mapping.
package gosource

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// Path is the import path of the package whose Compile functions take kernels.
const Path = "github.com/purecl/purecl"

// A Literal is OpenCL C in a Go file.
type Literal struct {
	Text       []byte // of the Go file's length
	Start, End int    // from the first literal's first byte to the end of the last literal
	Options    string
	Certain    bool // Options are complete
}

// An Embed is a file of OpenCL C that a Go file compiles: embedded, or by name.
type Embed struct {
	File       string // name in the Go file
	Start, End int    // of the name
	Options    string
	Certain    bool
}

// Find returns the kernels of a Go file, in order of the calls of Compile.
func Find(text []byte) (literals []Literal, embeds []Embed) {
	if !bytes.Contains(text, []byte(Path)) {
		return nil, nil
	}
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil || !imports(file) {
		return nil, nil
	}
	f := finder{text: text, file: fset.File(file.Pos()), values: map[string]ast.Expr{}, embeds: map[string]Embed{}}
	f.declarations(file)
	packages := packageNames(file)
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if name, ok := fun.X.(*ast.Ident); ok && packages[name.Name] {
			return true // another package's Compile, such as regexp's
		}
		switch args := call.Args; {
		case fun.Sel.Name == "Compile" && len(args) > 0:
			f.compile(call, args[0], args[1:])
		case fun.Sel.Name == "CompileFile" && len(args) > 0:
			f.named(call, args[0], args[1:])
		case fun.Sel.Name == "CompileFS" && len(args) > 1:
			f.named(call, args[1], args[2:])
		}
		return true
	})
	return f.literals, f.found
}

// compile records a call that compiles a source text.
func (f *finder) compile(call *ast.CallExpr, source ast.Expr, options []ast.Expr) {
	text, certain := f.options(call, options)
	var parts []*ast.BasicLit
	switch name, isName := source.(*ast.Ident); {
	case f.strings(source, &parts, 0):
		l := Literal{Options: text, Certain: certain}
		l.Text, l.Start, l.End = f.blanked(parts)
		f.literals = append(f.literals, l)
	case isName && f.embeds[name.Name].File != "":
		e := f.embeds[name.Name]
		e.Options, e.Certain = text, certain
		f.found = append(f.found, e)
	}
}

// named records a call that compiles a file by name.
func (f *finder) named(call *ast.CallExpr, name ast.Expr, options []ast.Expr) {
	lit, ok := name.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return
	}
	file, err := strconv.Unquote(lit.Value)
	if err != nil || file == "" {
		return
	}
	e := Embed{File: file, Start: f.file.Offset(lit.Pos()), End: f.file.Offset(lit.End())}
	e.Options, e.Certain = f.options(call, options)
	f.found = append(f.found, e)
}

// packageNames returns the names of a file's imports other than purecl.
func packageNames(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, i := range file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil || p == Path {
			continue
		}
		name := path.Base(p)
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = true
	}
	return names
}

// imports reports whether a file imports purecl.
func imports(file *ast.File) bool {
	for _, i := range file.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil && (p == Path || strings.HasPrefix(p, Path+"/")) {
			return true
		}
	}
	return false
}

// A finder holds the strings and embedded files that a file declares.
type finder struct {
	text   []byte
	file   *token.File
	values map[string]ast.Expr
	embeds map[string]Embed

	literals []Literal
	found    []Embed
}

// declarations records constants and variables with values, and embedded files.
func (f *finder) declarations(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			for _, s := range n.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for i, name := range v.Names {
					if i < len(v.Values) {
						f.values[name.Name] = v.Values[i]
					}
				}
				if n.Tok == token.VAR && len(v.Names) == 1 && len(v.Values) == 0 {
					doc := v.Doc
					if doc == nil {
						doc = n.Doc
					}
					if e, ok := f.embed(doc); ok {
						f.embeds[v.Names[0].Name] = e
					}
				}
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 && n.Tok == token.DEFINE {
				if name, ok := n.Lhs[0].(*ast.Ident); ok {
					f.values[name.Name] = n.Rhs[0]
				}
			}
		}
		return true
	})
}

// embed returns the file of OpenCL C that a comment's directive names.
func (f *finder) embed(doc *ast.CommentGroup) (Embed, bool) {
	if doc == nil {
		return Embed{}, false
	}
	for _, c := range doc.List {
		rest, ok := strings.CutPrefix(c.Text, "//go:embed ")
		name := strings.TrimSpace(rest)
		if ok && !strings.ContainsAny(name, " *?[\"`") && path.Ext(name) == ".cl" {
			at := f.file.Offset(c.Pos()) + strings.Index(c.Text, name)
			return Embed{File: name, Start: at, End: at + len(name)}, true
		}
	}
	return Embed{}, false
}

// options returns the build options of a call; the result is false if some are unknown.
func (f *finder) options(call *ast.CallExpr, args []ast.Expr) (string, bool) {
	var words []string
	certain := !call.Ellipsis.IsValid()
	for _, a := range args {
		var parts []*ast.BasicLit
		if !f.strings(a, &parts, 0) {
			certain = false
			continue
		}
		text := ""
		for _, p := range parts {
			if s, err := strconv.Unquote(p.Value); err == nil {
				text += s
			}
		}
		words = append(words, text)
	}
	return strings.Join(words, " "), certain
}

// strings appends the string literals of an expression, through names that the file defines. It returns false if
// the expression has other parts.
func (f *finder) strings(x ast.Expr, parts *[]*ast.BasicLit, depth int) bool {
	if depth > 100 {
		return false
	}
	switch x := x.(type) {
	case *ast.BasicLit:
		if x.Kind != token.STRING {
			return false
		}
		*parts = append(*parts, x)
		return true
	case *ast.ParenExpr:
		return f.strings(x.X, parts, depth+1)
	case *ast.BinaryExpr:
		return x.Op == token.ADD && f.strings(x.X, parts, depth+1) && f.strings(x.Y, parts, depth+1)
	case *ast.Ident:
		v := f.values[x.Name]
		return v != nil && f.strings(v, parts, depth+1)
	}
	return false
}

// blanked returns the kernel's source at its offsets in an otherwise blank text. The character of an escape
// sequence is at the sequence's end.
func (f *finder) blanked(parts []*ast.BasicLit) (text []byte, start, end int) {
	text = bytes.Repeat([]byte{' '}, len(f.text))
	for i, c := range f.text {
		if c == '\n' {
			text[i] = c
		}
	}
	start = len(f.text)
	for _, p := range parts {
		from := f.file.Offset(p.Pos())
		to := min(from+len(p.Value), len(f.text))
		start, end = min(start, from), max(end, to)
		body := f.text[from+1 : max(to-1, from+1)]
		if f.text[from] == '`' {
			copy(text[from+1:], body)
			continue
		}
		at := from + 1
		for rest := string(body); rest != ""; {
			_, _, tail, err := strconv.UnquoteChar(rest, '"')
			if err != nil {
				break
			}
			n := len(rest) - len(tail)
			if rest[0] == '\\' {
				// An escape sequence is at least as long as its character.
				if s, err := strconv.Unquote(`"` + rest[:n] + `"`); err == nil && len(s) <= n {
					copy(text[at+n-len(s):], s)
				}
			} else {
				copy(text[at:], rest[:n])
			}
			at += n
			rest = tail
		}
	}
	return text, start, end
}

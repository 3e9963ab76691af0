package lsp_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/lsp/protocol"
)

const saxpy = `// A kernel.
typedef struct { float4 sum; int count; } item;
float $1$twice(float x) { return 2 * x; }
kernel void $8$saxpy(global float *y, global const float *x, float a, global item *items) {
  size_t i = get_global_id(0);
  y[i] = $2$twice(a) * x[i] + $3$fmax(y[$4$i], 1.0f);
  items[i].$5$count = 3;
}
`

func TestDiagnosticsAsTyped(t *testing.T) {
	c := start(t, nil, nil)
	d, at := c.open("k.cl", saxpy)
	if got := d.diagnostics(); len(got) != 0 {
		t.Fatalf("got %v", got)
	}
	d.edit(at['4'], at['4']+1, "j")
	got := d.diagnostics()
	if len(got) != 1 || got[0].Code != "undeclared-identifier" || d.slice(got[0].Range) != "j" || got[0].Severity != protocol.DiagnosticSeverityError {
		t.Fatalf("got %+v", got)
	}
	d.edit(at['4'], at['4']+1, "i")
	if got := d.diagnostics(); len(got) != 0 {
		t.Fatalf("got %v", got)
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": d.uri}})
	if f := c.try("textDocument/hover", d.at(0), nil); f == nil || !strings.Contains(f.Message, "not open") {
		t.Errorf("hover in a closed document: %v", f)
	}
}

func TestRelatedAndFix(t *testing.T) {
	c := start(t, nil, nil)
	d, _ := c.open("k.cl", "void f(int n);\nkernel void k(global int *p) {\n  p[0] = 1\n  f(1, 2);\n}\n")
	var related bool
	for _, x := range d.diagnostics() {
		related = related || len(x.RelatedInformation) == 1 && x.RelatedInformation[0].Location.Uri == d.uri && strings.Contains(x.RelatedInformation[0].Message, "declared here")
	}
	if !related {
		t.Errorf("no related place: %+v", d.diagnostics())
	}
	var actions []protocol.CodeAction
	c.call("textDocument/codeAction", d.whole(), &actions)
	var fixed, explained bool
	for _, a := range actions {
		if a.Edit != nil && a.Title == "insert ';'" {
			e := a.Edit.Changes[d.uri]
			fixed = len(e) == 1 && e[0].NewText == ";" && d.offset(e[0].Range.Start) == strings.Index(d.text, "= 1\n")+3
		}
		if a.Command != nil && a.Command.Command == "purecl.explain" {
			var text string
			c.call("workspace/executeCommand", map[string]any{"command": a.Command.Command, "arguments": a.Command.Arguments}, &text)
			explained = explained || strings.Contains(text, "Wrong:")
		}
	}
	if !fixed || !explained {
		t.Errorf("fixed %v, explained %v: %+v", fixed, explained, actions)
	}
}

func TestHoverCompletionSignature(t *testing.T) {
	c := start(t, nil, nil)
	d, at := c.open("k.cl", saxpy)
	var hover protocol.Hover
	c.call("textDocument/hover", d.at(at['3']), &hover)
	if text := hover.Contents.(map[string]any)["value"].(string); !strings.Contains(text, "float fmax(float, float)") || d.slice(*hover.Range) != "fmax" {
		t.Errorf("got %v", hover)
	}
	var list protocol.CompletionList
	c.call("textDocument/completion", d.at(at['5']), &list)
	if len(list.Items) != 2 || list.Items[0].Label != "sum" {
		t.Errorf("got %+v", list.Items)
	}
	c.call("textDocument/completion", d.at(at['3']+2), &list)
	i := slices.IndexFunc(list.Items, func(x protocol.CompletionItem) bool { return x.Label == "fmax" })
	if i < 0 || list.Items[i].Detail == "" {
		t.Fatalf("fmax is not proposed: %+v", list.Items)
	}
	var item protocol.CompletionItem
	c.call("completionItem/resolve", list.Items[i], &item)
	if m, ok := item.Documentation.(map[string]any); !ok || !strings.Contains(m["value"].(string), "Math Functions") {
		t.Errorf("got %+v", item)
	}
	var help protocol.SignatureHelp
	c.call("textDocument/signatureHelp", d.at(at['2']+len("twice(")), &help)
	if len(help.Signatures) != 1 || help.Signatures[0].Label != "float twice(float x)" {
		t.Errorf("got %+v", help)
	}
	if label := help.Signatures[0].Parameters[0].Label.([]any); label[0] != 12.0 || label[1] != 19.0 {
		t.Errorf("the parameter is at %v", label)
	}
}

func TestSnippets(t *testing.T) {
	c := launch(t, nil)
	c.initialize(nil, map[string]any{"textDocument": map[string]any{"completion": map[string]any{"completionItem": map[string]any{"snippetSupport": true}}}})
	d, at := c.open("k.cl", "kernel void k(global float *p) { p[0] = fma$1$ ; }")
	var list protocol.CompletionList
	c.call("textDocument/completion", d.at(at['1']), &list)
	i := slices.IndexFunc(list.Items, func(x protocol.CompletionItem) bool { return x.Label == "fma" })
	if i < 0 || list.Items[i].TextEdit.(map[string]any)["newText"] != "fma($0)" {
		t.Errorf("got %+v", list.Items)
	}
}

func TestNavigation(t *testing.T) {
	c := start(t, map[string]string{"common.h": "float norm(float x);\n"}, nil)
	d, at := c.open("k.cl", saxpy)
	other, oat := c.open("other.cl", "#include \"common.h\"\nfloat n$1$orm(float x) { return x; }\n")
	third, _ := c.open("third.cl", "#include \"common.h\"\nkernel void k(global float *p) { p[0] = norm(1); }\n")
	third.diagnostics()
	var where []protocol.Location
	c.call("textDocument/definition", d.at(at['2']), &where)
	if len(where) != 1 || d.offset(where[0].Range.Start) != at['1'] {
		t.Errorf("definition: %+v", where)
	}
	c.call("textDocument/typeDefinition", d.at(strings.Index(d.text, "items[i]")), &where)
	if len(where) != 1 || d.slice(where[0].Range) != "item" {
		t.Errorf("type: %+v", where)
	}
	params := d.at(at['4'])
	params["context"] = map[string]any{"includeDeclaration": true}
	c.call("textDocument/references", params, &where)
	if len(where) != 5 {
		t.Errorf("references: %+v", where)
	}
	params["context"] = map[string]any{"includeDeclaration": false}
	c.call("textDocument/references", params, &where)
	if len(where) != 4 {
		t.Errorf("references without the declaration: %+v", where)
	}
	// Define a function in one file, declare it in a header, call it in another file.
	params = other.at(oat['1'])
	params["context"] = map[string]any{"includeDeclaration": true}
	c.call("textDocument/references", params, &where)
	if len(where) != 2 {
		t.Errorf("references in other files: %+v", where)
	}
	var marks []protocol.DocumentHighlight
	c.call("textDocument/documentHighlight", d.at(at['4']), &marks)
	if len(marks) != 5 {
		t.Errorf("highlights: %+v", marks)
	}
}

func TestRename(t *testing.T) {
	c := start(t, map[string]string{"a.h": "int total(int x);\n"}, nil)
	h, hat := c.open("a.h", "int $1$total(int x);\n")
	a, _ := c.open("a.cl", "#include \"a.h\"\nkernel void k(global int *p) { p[0] = total(1); }\n")
	b, _ := c.open("b.cl", "#include \"a.h\"\nkernel void k2(global int *p) { p[0] = total(2) + total(3); }\n")
	a.diagnostics()
	b.diagnostics()
	var at protocol.Range
	c.call("textDocument/prepareRename", h.at(hat['1']), &at)
	if h.slice(at) != "total" {
		t.Errorf("got %v", at)
	}
	params := h.at(hat['1'])
	params["newName"] = "sum"
	var edit protocol.WorkspaceEdit
	c.call("textDocument/rename", params, &edit)
	if len(edit.Changes[h.uri]) != 1 || len(edit.Changes[a.uri]) != 1 || len(edit.Changes[b.uri]) != 2 {
		t.Errorf("got %+v", edit.Changes)
	}
	params["newName"] = "float4"
	if f := c.try("textDocument/rename", params, nil); f == nil || !strings.Contains(f.Message, "word of the language") {
		t.Errorf("got %v", f)
	}
}

func TestOutlineTokensLenses(t *testing.T) {
	c := start(t, nil, map[string]any{"codeLens": true})
	d, _ := c.open("k.cl", saxpy)
	var list []protocol.DocumentSymbol
	c.call("textDocument/documentSymbol", d.at(0), &list)
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{"item", "item", "twice", "saxpy"}) || len(list[0].Children) != 2 {
		t.Errorf("got %q", names)
	}
	var tokens protocol.SemanticTokens
	c.call("textDocument/semanticTokens/full", d.at(0), &tokens)
	line, column := 0, 0
	var words []string
	for i := 0; i+4 < len(tokens.Data); i += 5 {
		if tokens.Data[i] > 0 {
			line, column = line+int(tokens.Data[i]), 0
		}
		column += int(tokens.Data[i+1])
		from := d.offset(protocol.Position{Line: uint32(line), Character: uint32(column)})
		words = append(words, d.text[from:from+int(tokens.Data[i+2])])
	}
	if !slices.Equal(words[:5], []string{"float4", "sum", "count", "item", "twice"}) || !slices.Contains(words, "fmax") {
		t.Errorf("got %q", words)
	}
	part := d.whole()
	part["range"] = protocol.Range{Start: protocol.Position{Line: 2}, End: protocol.Position{Line: 3}}
	c.call("textDocument/semanticTokens/range", part, &tokens)
	if n := len(tokens.Data) / 5; n == 0 || n >= len(words) {
		t.Errorf("%d tokens in a part, %d in all", n, len(words))
	}
	var lenses []protocol.CodeLens
	c.call("textDocument/codeLens", d.at(0), &lenses)
	if len(lenses) != 1 || lenses[0].Command.Command != "purecl.run" || string(lenses[0].Command.Arguments[1]) != `"saxpy"` {
		t.Errorf("got %+v", lenses)
	}
}

func TestInlayHints(t *testing.T) {
	c := start(t, nil, map[string]any{"level": "avx2"})
	d, _ := c.open("k.cl", `kernel void k(global float *x, global const int *idx, int n) {
  size_t i = get_global_id(0);
  int j = i;
  x[i] = idx[2 * i] + x[0] + x[idx[i]];
}
`)
	var hints []protocol.InlayHint
	c.call("textDocument/inlayHint", d.whole(), &hints)
	got := map[string]bool{}
	for _, h := range hints {
		rest, _, _ := strings.Cut(d.text[d.offset(h.Position):], ";")
		got[h.Label.(string)+" "+rest] = true
	}
	for _, want := range []string{"(int) i", "contiguous: x[i] = idx[2 * i] + x[0] + x[idx[i]]", "strided 8: idx[2 * i] + x[0] + x[idx[i]]", "uniform: x[0] + x[idx[i]]", "gathered: x[idx[i]]",
		"(float) idx[2 * i] + x[0] + x[idx[i]]"} {
		if !got[want] {
			t.Errorf("no hint %q; there are %v", want, got)
		}
	}
}

// TestInlayHintRefresh checks that a client that supports refresh requests does not wait for machine code.
func TestInlayHintRefresh(t *testing.T) {
	c := launch(t, nil)
	c.initialize(map[string]any{"level": "avx2", "conversions": false}, map[string]any{"workspace": map[string]any{"inlayHint": map[string]any{"refreshSupport": true}}})
	d, _ := c.open("k.cl", "kernel void k(global float *x) { x[get_global_id(0)] = 1; }\n")
	var hints []protocol.InlayHint
	c.call("textDocument/inlayHint", d.whole(), &hints)
	c.wait("a refresh", func() bool { return slices.Contains(c.asked, "workspace/inlayHint/refresh") })
	c.call("textDocument/inlayHint", d.whole(), &hints)
	if len(hints) != 1 || hints[0].Label != "contiguous:" {
		t.Errorf("got %+v", hints)
	}
}

func TestSpills(t *testing.T) {
	var b strings.Builder
	b.WriteString("kernel void k(global float16 *x, global float16 *y, int n) {\n  size_t i = get_global_id(0);\n  float16 a = x[i], b = y[i], c = a * b;\n  for (int j = 0; j < n; j++) {\n")
	b.WriteString("    a = fma(a, b, c); b = fma(b, c, a); c = fma(c, a, b);\n  }\n  x[i] = a; y[i] = b + c;\n}\n")
	c := start(t, nil, map[string]any{"level": "avx2", "accesses": false, "conversions": false})
	d, _ := c.open("k.cl", b.String())
	var hints []protocol.InlayHint
	c.call("textDocument/inlayHint", d.whole(), &hints)
	if len(hints) != 1 || !strings.HasSuffix(hints[0].Label.(string), "spills") || hints[0].Position.Line != 3 {
		t.Errorf("got %+v", hints)
	}
}

func TestUnsavedInclude(t *testing.T) {
	c := start(t, map[string]string{"lib/a.h": "int f(int x);\n"}, nil)
	d, _ := c.open("k.cl", "#include \"lib/a.h\"\nint f(int x) { return x; }\nkernel void k(global int *p) { p[0] = f(1); }\n")
	if got := d.diagnostics(); len(got) != 0 {
		t.Fatalf("got %+v", got)
	}
	// The editor's text of the header counts, and its changes affect the including file.
	h, _ := c.open("lib/a.h", "int f(float x);\n")
	c.wait("an error", func() bool { return len(c.diags[d.uri].Diagnostics) > 0 })
	h.edit(0, len(h.text), "int f(int x)\n")
	c.wait("an error in the header", func() bool { return len(c.diags[h.uri].Diagnostics) > 0 })
	h.edit(0, len(h.text), "int f(int x);\n")
	c.wait("no errors", func() bool { return len(c.diags[h.uri].Diagnostics) == 0 && len(c.diags[d.uri].Diagnostics) == 0 })
	var list []protocol.DocumentSymbol
	c.call("textDocument/documentSymbol", h.at(0), &list)
	if len(list) != 1 || list[0].Name != "f" {
		t.Errorf("outline of the header: %+v", list)
	}
	var where []protocol.Location
	c.call("textDocument/definition", d.at(strings.Index(d.text, "lib/a.h")), &where)
	if len(where) != 1 || where[0].Uri != h.uri {
		t.Errorf("definition of the include: %+v", where)
	}
}

func TestMissingInclude(t *testing.T) {
	c := start(t, nil, nil)
	d, _ := c.open("k.cl", "#include \"late.h\"\nkernel void k(global int *p) { p[0] = f(1); }\n")
	if got := d.diagnostics(); len(got) == 0 || got[0].Code != "include-not-found" && !strings.Contains(got[0].Message, "not found") {
		t.Fatalf("got %+v", got)
	}
	c.write("late.h", "inline int f(int x) { return x; }\n")
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri("late.h"), "type": 1}}})
	c.wait("no errors", func() bool { return len(c.diags[d.uri].Diagnostics) == 0 })
}

func TestBuildOptions(t *testing.T) {
	c := start(t, map[string]string{
		"purecl.toml": "options = \"-DA=1 -I include\"\n[[files]]\nmatch = \"deep/*.cl\"\noptions = [\"-DB=2\"]\n",
		"include/x.h": "#define C 3\n",
	}, map[string]any{"options": "-DS=4"})
	d, _ := c.open("deep/k.cl", "// purecl-options: -DD=5\n#include <x.h>\nconstant int sum = A + B + C + D + S;\nkernel void k(global int *p) { p[0] = sum; }\n")
	if got := d.diagnostics(); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
	toml, _ := c.open("purecl.toml", "options = 3\n")
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": toml.uri, "type": 2}}})
	c.wait("an error in purecl.toml", func() bool {
		return slices.ContainsFunc(c.diags[toml.uri].Diagnostics, func(x protocol.Diagnostic) bool { return strings.Contains(x.Message, "expected a string") })
	})
}

func TestSettings(t *testing.T) {
	c := launch(t, nil)
	c.settings = map[string]any{"options": "-DN=1"}
	c.initialize(nil, map[string]any{"workspace": map[string]any{"configuration": true}})
	d, _ := c.open("k.cl", "kernel void k(global int *p) { p[0] = N; }\n")
	c.wait("no errors", func() bool { p, ok := c.diags[d.uri]; return ok && len(p.Diagnostics) == 0 })
	c.mu.Lock()
	c.settings = map[string]any{"options": 7}
	c.mu.Unlock()
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": nil})
	c.wait("a message", func() bool { return len(c.shown) == 1 && strings.Contains(c.shown[0], "options") })
}

func TestGoFile(t *testing.T) {
	c := start(t, map[string]string{"k.cl": "kernel void k(global int *p) { p[0] = undeclared; }\n", "fine.cl": "kernel void k(global int *p) { p[0] = N; }\n"}, nil)
	d, at := c.open("main.go", "package main\n\nimport (\n\t_ \"embed\"\n\t\"regexp\"\n\n\t\"github.com/purecl/purecl\"\n)\n\n//go:embed $3$k.cl\nvar source string\n\n//go:embed fine.cl\nvar fine string\n\n"+
		"const kernel = `\nkernel void inGo(global float *p) {\n\tp[0] = $1$wrong + $2$fmax(1.0f, N);\n}\n`\n\nvar re, _ = regexp.Compile(`(`)\n\nfunc main() {\n\tpurecl.Compile(kernel, \"-DN=3\")\n\tpurecl.Compile(source)\n\tpurecl.Compile(fine, \"-DN=1\")\n\tpurecl.Compile(\"kernel void f(global int *p) {\\n  p[0] = $4$oops;\\n}\")\n}\n")
	got := map[string]string{}
	for _, x := range d.diagnostics() {
		got[d.slice(x.Range)] = x.Message
	}
	if len(got) != 3 || !strings.Contains(got["wrong"], "undeclared") || !strings.Contains(got["k.cl"], "k.cl does not compile") || !strings.Contains(got["oops"], "undeclared") {
		t.Errorf("got %q", got)
	}
	var hover protocol.Hover
	c.call("textDocument/hover", d.at(at['2']), &hover)
	if hover.Contents == nil || !strings.Contains(hover.Contents.(map[string]any)["value"].(string), "fmax") {
		t.Errorf("got %+v", hover)
	}
	var nothing any
	c.call("textDocument/hover", d.at(2), &nothing)
	if nothing != nil {
		t.Errorf("hover of Go: %v", nothing)
	}
}

func TestFormatting(t *testing.T) {
	if _, err := exec.LookPath("clang-format"); err != nil {
		t.Skip("clang-format is not installed; make setup installs it")
	}
	c := start(t, map[string]string{".clang-format": "BasedOnStyle: LLVM\n"}, nil)
	d, _ := c.open("k.cl", "int a;\nkernel   void k( global int*p ){p[0]=1;}\nint b;\n")
	var edits []protocol.TextEdit
	c.call("textDocument/formatting", d.whole(), &edits)
	if len(edits) != 1 || edits[0].Range.Start.Line != 1 || !strings.Contains(edits[0].NewText, "p[0] = 1;") {
		t.Errorf("got %+v", edits)
	}
	part := d.whole()
	part["range"] = protocol.Range{End: protocol.Position{Line: 1}}
	c.call("textDocument/rangeFormatting", part, &edits)
	if len(edits) != 0 {
		t.Errorf("a part that is in order: %+v", edits)
	}
}

func TestNoFormatter(t *testing.T) {
	c := launch(t, nil)
	r := c.initialize(map[string]any{"clangFormat": "/no/such/clang-format"}, nil)
	if r.Capabilities.DocumentFormattingProvider != false {
		t.Errorf("formatting is offered without a formatter")
	}
	d, _ := c.open("k.cl", "int a;\n")
	if f := c.try("textDocument/formatting", d.whole(), nil); f == nil || !strings.Contains(f.Message, "not installed") {
		t.Errorf("got %v", f)
	}
}

func TestEncodings(t *testing.T) {
	for _, utf8 := range []bool{false, true} {
		c := launch(t, nil)
		encodings := []string{"utf-16"}
		if utf8 {
			encodings = append(encodings, "utf-8")
		}
		r := c.initialize(nil, map[string]any{"general": map[string]any{"positionEncodings": encodings}})
		if (r.Capabilities.PositionEncoding == "utf-8") != utf8 {
			t.Errorf("the server speaks %v", r.Capabilities.PositionEncoding)
		}
		d, _ := c.open("k.cl", "/* ä𝄞 */ int x = nope;\n")
		want := uint32(len("/* ä𝄞 */ int x = "))
		if !utf8 {
			want -= 1 + 2 // ä is one UTF-16 unit, the clef two
		}
		if got := d.diagnostics(); len(got) != 2 && len(got) != 1 || got[len(got)-1].Range.Start.Character != want {
			t.Errorf("utf8 %v: got %+v, want column %d", utf8, got, want)
		}
	}
}

// TestMisuse checks that a client's mistakes give clear errors, and that the server continues.
func TestMisuse(t *testing.T) {
	c := launch(t, nil)
	refused := func(method string, params any, code protocol.ErrorCodes, words string) {
		t.Helper()
		f := c.try(method, params, nil)
		if f == nil || f.Code != int32(code) || !strings.Contains(f.Message, words) {
			t.Errorf("%s: got %+v, want code %d and %q", method, f, code, words)
		}
	}
	refused("textDocument/hover", map[string]any{}, protocol.ErrorCodesServerNotInitialized, "before initialize")
	c.initialize(nil, nil)
	refused("initialize", map[string]any{}, protocol.ErrorCodesInvalidRequest, "second time")
	refused("textDocument/nonsense", map[string]any{}, protocol.ErrorCodesMethodNotFound, "textDocument/nonsense")
	refused("textDocument/hover", map[string]any{"textDocument": 3}, protocol.ErrorCodesInvalidParams, "parameters")
	refused("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": "file:///x.cl"}}, protocol.ErrorCodesInvalidParams, "not open")
	refused("workspace/executeCommand", map[string]any{"command": "x"}, protocol.ErrorCodesInvalidParams, "no command")
	refused("workspace/executeCommand", map[string]any{"command": "purecl.explain", "arguments": []any{"x"}}, protocol.ErrorCodesInvalidParams, "no diagnostic")
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": "file:///x.cl"}, "contentChanges": []any{}})
	c.wait("a message", func() bool {
		return slices.ContainsFunc(c.logged, func(s string) bool { return strings.Contains(s, "file:///x.cl is not open") })
	})
	d, _ := c.open("k.cl", "int x;\n")
	far := map[string]any{"textDocument": map[string]any{"uri": d.uri}, "position": protocol.Position{Line: 1000, Character: 1000}}
	c.call("textDocument/hover", far, nil)
	c.call("shutdown", nil, nil)
	refused("textDocument/hover", d.at(0), protocol.ErrorCodesInvalidRequest, "after shutdown")
	c.notify("exit", nil)
	if err := <-c.done; err != nil {
		t.Errorf("got %v", err)
	}
}

func TestExitWithoutShutdown(t *testing.T) {
	c := start(t, nil, nil)
	c.notify("exit", nil)
	if err := <-c.done; err == nil || !strings.Contains(err.Error(), "without shutdown") {
		t.Errorf("got %v", err)
	}
}

func TestCancel(t *testing.T) {
	c := start(t, nil, map[string]any{"level": "avx2"})
	var b strings.Builder
	for range 50 {
		b.WriteString("kernel void k" + strings.Repeat("x", b.Len()%1000) + "(global float *x) { x[get_global_id(0)] = sin(x[1]) * pow(x[2], x[3]); }\n")
	}
	d, _ := c.open("k.cl", b.String())
	id, answer := c.send("textDocument/inlayHint", d.whole())
	c.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(id)})
	if m := <-answer; m.Error == nil || m.Error.Code != int32(protocol.LSPErrorCodesRequestCancelled) {
		t.Errorf("got %+v", m)
	}
}

func TestFraming(t *testing.T) {
	for text, want := range map[string]string{
		"hello\r\n\r\n":                       "expected a header line",
		"Content-Type: x\r\n\r\n":             "no Content-Length",
		"Content-Length: many\r\n\r\n":        "expected a number",
		"Content-Length: -1\r\n\r\n":          "expected a number",
		"Content-Length: 99999999999\r\n\r\n": "larger than",
		"Content-Length: 10\r\n\r\n{}":        "ends after 2 of a message's 10 bytes",
		"Content-Length: 10\r\n":              "inside a message's header",
		strings.Repeat("x", 100000):           "longer than",
		"Content-Length: 2\r\n\r\n[]":         "no JSON-RPC",
	} {
		_, err := protocol.NewConn(strings.NewReader(text), nil).Read()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %q", text, err, want)
		}
	}
}

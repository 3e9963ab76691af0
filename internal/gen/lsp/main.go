// Command lsp writes the types of the language server protocol that internal/lsp uses, from the
// protocol's published model (metaModel.json beside the specification 3.17). The model is not part of
// this repository, so no go generate runs it:
//
//	go run ./internal/gen/lsp -model metaModel.json -out internal/lsp/protocol/zprotocol.go
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"log"
	"os"
	"slices"
	"strings"
)

// roots are the types that the server reads and writes. The types that they refer to are generated too.
var roots = []string{
	"InitializeParams", "InitializeResult", "ServerCapabilities",
	"DidOpenTextDocumentParams", "DidChangeTextDocumentParams", "DidCloseTextDocumentParams", "DidSaveTextDocumentParams",
	"DidChangeConfigurationParams", "DidChangeWatchedFilesParams", "DidChangeWatchedFilesRegistrationOptions", "RegistrationParams", "CancelParams",
	"PublishDiagnosticsParams", "HoverParams", "Hover", "CompletionParams", "CompletionList", "CompletionItem",
	"SignatureHelpParams", "SignatureHelp", "DefinitionParams", "TypeDefinitionParams", "ReferenceParams", "Location",
	"DocumentHighlightParams", "DocumentHighlight", "PrepareRenameParams", "RenameParams", "WorkspaceEdit",
	"DocumentSymbolParams", "DocumentSymbol", "SemanticTokensParams", "SemanticTokensRangeParams", "SemanticTokens", "SemanticTokensOptions",
	"InlayHintParams", "InlayHint", "InlayHintOptions", "CodeActionParams", "CodeAction", "CodeActionOptions", "CodeLensParams", "CodeLens",
	"ExecuteCommandParams", "DocumentFormattingParams", "DocumentRangeFormattingParams", "TextEdit",
	"ShowMessageParams", "LogMessageParams", "ConfigurationParams", "MarkupContent", "RenameOptions", "CompletionOptions", "SignatureHelpOptions",
	"ExecuteCommandOptions", "CodeLensOptions", "ErrorCodes", "LSPErrorCodes", "TextDocumentSyncOptions", "SaveOptions",
}

// opaque types stay JSON.
var opaque = map[string]bool{"ClientCapabilities": true, "LSPAny": true, "LSPObject": true, "LSPArray": true, "TextDocumentContentChangeEvent": true}

// dropped types belong to features that the server does not have. Fields of these types are omitted.
var dropped = map[string]bool{"NotebookDocumentSyncOptions": true, "NotebookDocumentSyncRegistrationOptions": true, "NotebookDocumentFilter": true}

// A typ is a type of the model.
type typ struct {
	Kind    string          `json:"kind"`
	Name    string          `json:"name"`
	Element *typ            `json:"element"`
	Items   []typ           `json:"items"`
	Key     *typ            `json:"key"`
	Value   json.RawMessage `json:"value"` // a map's value type, a literal's properties
}

type property struct {
	Name     string `json:"name"`
	Type     typ    `json:"type"`
	Optional bool   `json:"optional"`
	Doc      string `json:"documentation"`
}

type structure struct {
	Name       string     `json:"name"`
	Properties []property `json:"properties"`
	Extends    []typ      `json:"extends"`
	Mixins     []typ      `json:"mixins"`
	Doc        string     `json:"documentation"`
}

type enumeration struct {
	Name   string `json:"name"`
	Type   typ    `json:"type"`
	Values []struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
		Doc   string `json:"documentation"`
	} `json:"values"`
	Doc string `json:"documentation"`
}

type alias struct {
	Name string `json:"name"`
	Type typ    `json:"type"`
	Doc  string `json:"documentation"`
}

// A generator writes the types reachable from roots.
type generator struct {
	structures map[string]*structure
	enums      map[string]*enumeration
	aliases    map[string]*alias
	todo       []string
	done       map[string]bool
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("lsp: ")
	file := flag.String("model", "", "metaModel.json of the specification")
	out := flag.String("out", "internal/lsp/protocol/zprotocol.go", "file to write")
	flag.Parse()
	text, err := os.ReadFile(*file)
	if err != nil {
		log.Fatal(err)
	}
	code, err := generate(text)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, code, 0o666); err != nil {
		log.Fatal(err)
	}
}

func generate(text []byte) ([]byte, error) {
	var model struct {
		MetaData     struct{ Version string } `json:"metaData"`
		Structures   []*structure             `json:"structures"`
		Enumerations []*enumeration           `json:"enumerations"`
		TypeAliases  []*alias                 `json:"typeAliases"`
	}
	if err := json.Unmarshal(text, &model); err != nil {
		return nil, err
	}
	g := &generator{structures: map[string]*structure{}, enums: map[string]*enumeration{}, aliases: map[string]*alias{}, done: map[string]bool{}}
	for _, s := range model.Structures {
		g.structures[s.Name] = s
	}
	for _, e := range model.Enumerations {
		g.enums[e.Name] = e
	}
	for _, a := range model.TypeAliases {
		g.aliases[a.Name] = a
	}
	g.todo = slices.Clone(roots)
	parts := map[string]string{}
	for len(g.todo) > 0 {
		name := g.todo[0]
		g.todo = g.todo[1:]
		if g.done[name] {
			continue
		}
		g.done[name] = true
		part, err := g.declare(name)
		if err != nil {
			return nil, err
		}
		parts[name] = part
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by internal/gen/lsp from the model of the Language Server Protocol %s. DO NOT EDIT.\n\npackage protocol\n\nimport \"encoding/json\"\n\n", model.MetaData.Version)
	var names []string
	for n := range parts {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		b.WriteString(parts[n])
	}
	return format.Source(b.Bytes())
}

// declare returns the declaration of a type.
func (g *generator) declare(name string) (string, error) {
	var b strings.Builder
	switch {
	case opaque[name]:
		fmt.Fprintf(&b, "// %s is JSON that is passed on or read by hand.\ntype %s = json.RawMessage\n\n", name, name)
	case g.structures[name] != nil:
		s := g.structures[name]
		doc(&b, "", name, s.Doc)
		fmt.Fprintf(&b, "type %s struct {\n", name)
		for _, p := range g.properties(s) {
			g.field(&b, &p)
		}
		b.WriteString("}\n\n")
	case g.enums[name] != nil:
		e := g.enums[name]
		doc(&b, "", name, e.Doc)
		fmt.Fprintf(&b, "type %s %s\n\n// The values of %s.\nconst (\n", name, g.goType(&e.Type, false), name)
		for _, v := range e.Values {
			value := fmt.Sprint(v.Value)
			if s, ok := v.Value.(string); ok {
				value = fmt.Sprintf("%q", s)
			}
			fmt.Fprintf(&b, "\t%s%s %s = %s\n", name, title(v.Name), name, value)
		}
		b.WriteString(")\n\n")
	case g.aliases[name] != nil:
		a := g.aliases[name]
		doc(&b, "", name, a.Doc)
		fmt.Fprintf(&b, "type %s = %s\n\n", name, g.goType(&a.Type, false))
	default:
		return "", fmt.Errorf("the model has no type %s", name)
	}
	return b.String(), nil
}

// properties returns a structure's properties, the inherited ones first.
func (g *generator) properties(s *structure) (list []property) {
	for _, t := range append(slices.Clone(s.Extends), s.Mixins...) {
		list = append(list, g.properties(g.structures[t.Name])...)
	}
	for _, p := range s.Properties {
		list = slices.DeleteFunc(list, func(q property) bool { return q.Name == p.Name })
		list = append(list, p)
	}
	return list
}

func (g *generator) field(b *strings.Builder, p *property) {
	if g.isDropped(&p.Type) {
		return
	}
	t := g.goType(&p.Type, p.Optional)
	tag := p.Name
	if p.Optional {
		tag += ",omitempty"
	}
	doc(b, "\t", title(p.Name), p.Doc)
	fmt.Fprintf(b, "\t%s %s `json:%q`\n", title(p.Name), t, tag)
}

// isDropped reports whether a type belongs to an omitted feature.
func (g *generator) isDropped(t *typ) bool {
	return dropped[t.Name] || slices.ContainsFunc(t.Items, func(x typ) bool { return dropped[x.Name] })
}

// goType returns the Go type of a type. Optional structures are pointers.
func (g *generator) goType(t *typ, optional bool) string {
	switch t.Kind {
	case "base":
		switch t.Name {
		case "integer":
			return "int32"
		case "uinteger":
			return "uint32"
		case "decimal":
			return "float64"
		case "boolean":
			return "bool"
		case "null":
			return "any"
		}
		return "string" // string, URI, DocumentUri, RegExp
	case "reference":
		g.todo = append(g.todo, t.Name)
		if optional && g.structures[t.Name] != nil {
			return "*" + t.Name
		}
		return t.Name
	case "array":
		return "[]" + g.goType(t.Element, false)
	case "map":
		var value typ
		if err := json.Unmarshal(t.Value, &value); err != nil {
			log.Fatal(err)
		}
		return "map[" + g.goType(t.Key, false) + "]" + g.goType(&value, false)
	case "stringLiteral":
		return "string"
	case "tuple":
		return fmt.Sprintf("[%d]%s", len(t.Items), g.goType(&t.Items[0], false))
	case "literal":
		var body struct {
			Properties []property `json:"properties"`
		}
		if err := json.Unmarshal(t.Value, &body); err != nil {
			log.Fatal(err)
		}
		var b strings.Builder
		b.WriteString("struct {\n")
		for i := range body.Properties {
			g.field(&b, &body.Properties[i])
		}
		b.WriteString("}")
		if optional {
			return "*" + b.String()
		}
		return b.String()
	case "or":
		var rest []typ
		for _, x := range t.Items {
			if x.Kind != "base" || x.Name != "null" {
				rest = append(rest, x)
			}
		}
		if len(rest) == 1 { // T or null
			return g.goType(&rest[0], true)
		}
	}
	return "any"
}

func title(s string) string {
	s = strings.TrimLeft(s, "_$")
	return strings.ToUpper(s[:1]) + s[1:]
}

// doc writes the first paragraph of a comment.
func doc(b *strings.Builder, indent, name, text string) {
	text, _, _ = strings.Cut(text, "\n\n")
	text, _, _ = strings.Cut(text, "@since")
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		if indent == "" {
			fmt.Fprintf(b, "// %s is a type of the protocol.\n", name)
		}
		return
	}
	if indent == "" {
		text = name + ": " + text
	}
	fmt.Fprintf(b, "%s// %s\n", indent, text)
}

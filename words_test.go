package purecl

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// wordsPage lists the retired words with their replacements.
const wordsPage = "docs/words.md"

// A retired is a row of wordsPage.
type retired struct {
	word    string // one or several words, lower case
	instead string
	names   bool // retired in names
	prose   bool // retired in comments and documents
	pattern *regexp.Regexp
}

// retiredWords reads the table of wordsPage: | word | instead | where |.
func retiredWords(t *testing.T) (list []retired) {
	page, err := os.ReadFile(wordsPage)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## Retired words")
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 || strings.HasPrefix(line, "|--") || strings.TrimSpace(cells[0]) == "word" {
			continue
		}
		where := strings.TrimSpace(cells[2])
		r := retired{word: strings.TrimSpace(cells[0]), instead: strings.TrimSpace(cells[1])}
		r.names, r.prose = where != "prose", where != "names"
		if where != "prose" && where != "names" && where != "both" {
			t.Errorf("%s: %q: where is names, prose or both, not %q", wordsPage, r.word, where)
		}
		r.pattern = regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(r.word) + `\b`)
		list = append(list, r)
	}
	if len(list) == 0 {
		t.Fatalf("%s has no retired words", wordsPage)
	}
	return list
}

// badStart finds sentences that do not begin with their noun.
var badStart = regexp.MustCompile(`(?:^|[.:!?] )(What|Who|That which|There is|There are|There was|Those|One of)\b`)

// proseFaults lists the retired words and the sentence starts of a text.
func proseFaults(words []retired, text string) (list []string) {
	text = strings.Join(strings.Fields(text), " ")
	for _, r := range words {
		if r.prose && r.pattern.MatchString(text) {
			list = append(list, fmt.Sprintf("%q: say %q", r.word, r.instead))
		}
	}
	for _, m := range badStart.FindAllStringSubmatch(text, -1) {
		list = append(list, fmt.Sprintf("a sentence starts with %q: name its noun first", m[1]))
	}
	return list
}

// wordsOf splits a name such as maxTileSize into its words, in lower case.
func wordsOf(name string) (list []string) {
	from := 0
	for i, c := range name {
		if i > from && (c == '_' || unicode.IsUpper(c) && !unicode.IsUpper(rune(name[i-1]))) {
			list = append(list, strings.ToLower(strings.Trim(name[from:i], "_")))
			from = i
		}
	}
	return append(list, strings.ToLower(strings.Trim(name[from:], "_")))
}

// nameFaults lists the retired words in a name.
func nameFaults(words []retired, name string) (list []string) {
	parts := " " + strings.Join(wordsOf(name), " ") + " "
	for _, r := range words {
		if r.names && strings.Contains(parts, " "+r.word+" ") {
			list = append(list, fmt.Sprintf("the name %s has %q: say %q", name, r.word, r.instead))
		}
	}
	return list
}

// declared calls use for each name that a file declares outside of functions' bodies.
func declared(f *ast.File, use func(*ast.Ident)) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			use(n.Name)
		case *ast.TypeSpec:
			use(n.Name)
		case *ast.Field:
			for _, name := range n.Names {
				use(name)
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				use(name)
			}
		case *ast.BlockStmt:
			return false
		}
		return true
	})
}

// TestWords checks that the repository has no retired words, and that sentences begin with their noun.
func TestWords(t *testing.T) {
	words := retiredWords(t)
	out, err := exec.Command("git", "ls-files", "*.go", "*.md").Output()
	if err != nil {
		t.Skip("not a git checkout")
	}
	fset := token.NewFileSet()
	for _, file := range strings.Fields(string(out)) {
		text, err := os.ReadFile(file)
		switch {
		case err != nil, file == wordsPage, file == "THIRD_PARTY.md": // removed; the list itself; text of others
			continue
		case path.Ext(file) == ".md":
			for _, fault := range proseFaults(words, string(text)) {
				t.Errorf("%s: %s", file, fault)
			}
			continue
		case strings.HasPrefix(path.Base(file), "z"): // generated
			continue
		}
		f, err := parser.ParseFile(fset, file, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Comments {
			for _, paragraph := range strings.Split(c.Text(), "\n\n") {
				for _, fault := range proseFaults(words, paragraph) {
					t.Errorf("%s: %s", fset.Position(c.Pos()), fault)
				}
			}
		}
		declared(f, func(id *ast.Ident) {
			for _, fault := range nameFaults(words, id.Name) {
				t.Errorf("%s: %s", fset.Position(id.Pos()), fault)
			}
		})
	}
}

// TestWordsFinds checks that TestWords finds faults of each sort.
func TestWordsFinds(t *testing.T) {
	words := []retired{
		{word: "crew", instead: "worker pool", names: true, prose: true, pattern: regexp.MustCompile(`(?i)\bcrew\b`)},
		{word: "give", instead: "return", names: true, pattern: regexp.MustCompile(`(?i)\bgive\b`)},
	}
	for text, want := range map[string]int{
		"The pool has n workers.":                      0,
		"The Crew has n workers.":                      1,
		"What the pool has is n workers.":              1,
		"The pool is full. There is\nno worker left.":  1,
		"The programs give results. One worker waits.": 0,
	} {
		if got := proseFaults(words, text); len(got) != want {
			t.Errorf("%q: %q, want %d faults", text, got, want)
		}
	}
	for name, want := range map[string]int{"crewSize": 1, "screw": 0, "giveBack": 1, "Giver": 0, "max_crew": 1} {
		if got := nameFaults(words, name); len(got) != want {
			t.Errorf("%s: %q, want %d faults", name, got, want)
		}
	}
}

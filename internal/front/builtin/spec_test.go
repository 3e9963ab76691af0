package builtin

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/front/types"
)

// TestSpecificationNames compares the table with the functions that the specification defines, which
// testdata/names.py extracts from its text.
func TestSpecificationNames(t *testing.T) {
	text, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		section, names, _ := strings.Cut(line, ": ")
		for name := range strings.FieldsSeq(names) {
			n++
			if lookupGroup(name) == nil {
				t.Errorf("%s: no row for %s", section, name)
			}
		}
	}
	if n < 440 {
		t.Errorf("only %d names", n)
	}
}

// clangDiffers lists the functions whose overloads differ from clang's header, with the reason.
var clangDiffers = map[string]string{
	"atomic_compare_exchange_strong":          "expected in any space for all types",
	"atomic_compare_exchange_strong_explicit": "expected in any space for all types",
	"atomic_compare_exchange_weak":            "expected in any space for all types",
	"atomic_compare_exchange_weak_explicit":   "expected in any space for all types",
	"atomic_add":                              cppOnly,
	"atomic_and":                              cppOnly,
	"atomic_cmpxchg":                          cppOnly,
	"atomic_dec":                              cppOnly,
	"atomic_inc":                              cppOnly,
	"atomic_max":                              cppOnly,
	"atomic_min":                              cppOnly,
	"atomic_or":                               cppOnly,
	"atomic_sub":                              cppOnly,
	"atomic_xchg":                             cppOnly,
	"atomic_xor":                              cppOnly,
}

const cppOnly = "those of generic pointers are for C++ for OpenCL only"

// TestClangOverloads compares the overloads with those of clang's header, which testdata/clang.py summarises.
func TestClangOverloads(t *testing.T) {
	f, err := os.Open("testdata/clang.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var name string
		var n int
		var sum uint32
		if _, err := fmt.Sscanf(sc.Text(), "%s %d %x", &name, &n, &sum); err != nil {
			t.Fatal(err)
		}
		g := lookupGroup(name)
		if g == nil {
			t.Errorf("no %s", name)
			continue
		}
		var sigs []string
		for _, p := range g.overloads() {
			sigs = append(sigs, signature(p))
		}
		slices.Sort(sigs)
		same := len(sigs) == n && crc32.ChecksumIEEE([]byte(strings.Join(sigs, "\n"))) == sum
		if why := clangDiffers[name]; same != (why == "") {
			t.Errorf("%s: %d overloads, clang has %d; known difference %q", name, len(sigs), n, why)
		}
	}
}

// signature formats an overload as testdata/clang.py does.
func signature(p *proto) string {
	var ps []string
	for _, x := range p.params {
		ps = append(ps, spellType(x))
	}
	return p.row.Name + "(" + strings.Join(ps, ",") + ")" + spellType(p.result)
}

func spellType(x ptype) string {
	var words []string
	if x.kind == types.Image {
		words = append(words, [...]string{"", "read_only", "write_only", "read_write"}[x.access])
	}
	if x.cnst {
		words = append(words, "const")
	}
	if x.vol {
		words = append(words, "volatile")
	}
	if x.ptr {
		words = append(words, strings.TrimPrefix(x.space.String(), "__"))
	}
	name := x.object().Name
	if x.atomic {
		name = "atomic_" + name
	}
	s := strings.Join(append(words, name), " ")
	if x.ptr {
		s += "*"
	}
	return s
}

// Command builtins writes docs/builtins.md from the table of builtin functions and the
// errors that its tests have measured. It is run by go generate in internal/front/builtin.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"log"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/types"
)

const head = `# The builtin functions

<!-- Written by go generate in internal/front/builtin from its table and testdata/accuracy.txt. -->

Every function of the OpenCL C specification and its extensions that PureCL knows, by section. *Overloads* counts those with
everything enabled. A signature stands for several overloads where it has one of these words; the words of one signature go together:

| word | stands for |
|---|---|
| gentype | any scalar type and vector of 2, 3, 4, 8, 16; gentype*n*: with n components; gentypen, gentypem: of shuffle |
| gentypef, vgentypef | half, float, double: scalars and vectors; vectors |
| gentypef32 | float and its vectors |
| gentypei, vgentypei | the integers: scalars and vectors; vectors |
| gentypesi, gentypei32, gentypein | signed integers; int and uint; integers of 8, 16 and 32 bits: scalars and vectors |
| gentypeg, gentypeg32, gentypex | floating point of 1 to 4 components; float of these; floating point of 3 and 4 |
| elem, elemi, elemc | a scalar; an integer; an integer of 32 or 64 bits or floating point |
| elema, elemai, elemaf | scalars that atomics have: all; integers; floating point |
| sgentype | the component of gentype |
| igentype, ugentype, wgentype | signed, unsigned integer of the same width; integer of twice the width |
| intn, uintn, relgentype | int, uint, result of comparisons with as many components |
| any, a\|b | private, local, global or generic memory; either a or b |

*Made of*: operations of the compiler, or a body of the library in OpenCL C (internal/front/builtin/lib); a function without either
can be called, and a kernel that calls it compiles and cannot be launched. *Ulp* is the permitted error of float / double /
half, 0 correctly rounded, – without bound.
`

func main() {
	log.SetFlags(0)
	log.SetPrefix("builtins: ")
	var out bytes.Buffer
	out.WriteString(head)
	functions(&out)
	if err := accuracy(&out, "testdata/accuracy.txt"); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("../../../docs/builtins.md", out.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
}

// functions writes a table for each section of the specification.
func functions(out *bytes.Buffer) {
	var sections []string
	rows := map[string][]*builtin.Row{}
	for r := range builtin.Rows() {
		if strings.HasPrefix(r.Name, "__") { // the library's own
			continue
		}
		if rows[r.Spec] == nil {
			sections = append(sections, r.Spec)
		}
		rows[r.Spec] = append(rows[r.Spec], r)
	}
	env := &builtin.Env{Std: 300, Types: types.NewContext()}
	shown := map[string]bool{}
	for _, section := range sections {
		fmt.Fprintf(out, "\n## %s\n\n| function | signatures | overloads | requires | made of | ulp | |\n|---|---|---|---|---|---|---|\n", section)
		for _, r := range rows[section] {
			count := ""
			if !shown[r.Name] { // of all rows of that name
				shown[r.Name] = true
				count = overloads(env, r.Name)
			}
			fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s | %s |\n", r.Name, signatures(r), count, requires(r.Requires),
				[...]string{"nothing", "operations", "library"}[r.Impl], ulp(r), escape(r.Doc))
		}
	}
}

// overloads counts those of a name, and those without an implementation.
func overloads(env *builtin.Env, name string) string {
	n, none := 0, 0
	for o := range builtin.Overloads(env, name) {
		n++
		if o.Impl() == builtin.ImplNone {
			none++
		}
	}
	if none > 0 && none < n {
		return fmt.Sprintf("%d, %d without body", n, none)
	}
	return strconv.Itoa(n)
}

func signatures(r *builtin.Row) string {
	var list []string
	for _, s := range r.Sigs {
		list = append(list, "`"+escape(s)+"`")
	}
	return strings.Join(list, "<br>")
}

func requires(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if w[0] >= '0' && w[0] <= '9' {
			w = "OpenCL C " + w
		}
		words[i] = strings.ReplaceAll(w, "|", " or ")
	}
	return strings.ReplaceAll(strings.Join(words, ", "), "__", "\\_\\_")
}

func escape(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

func ulp(r *builtin.Row) string {
	math := strings.HasPrefix(r.Spec, "Math Functions")
	if r.Ulp == (builtin.Ulp{}) && !math {
		return ""
	}
	spell := func(x float64) string {
		if x < 0 {
			return "–"
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	if strings.Contains(r.Sigs[0], "f32") {
		return spell(r.Ulp.Float)
	}
	return spell(r.Ulp.Float) + " / " + spell(r.Ulp.Double) + " / " + spell(r.Ulp.Half)
}

const measured = `
# Measured errors

The worst error that the tests have seen (internal/front/builtin, ` + "`go test -run Accuracy`" + `, which hold what they measure to these values and
these to the permitted ones). *Tried* is the number of arguments: "all" of the type, a spread over all of them by bit pattern
with the hard ones (2^18, 2^16), or chosen hard cases. References: float64 for float and half, mpmath at 1400 bits for double. Correct
rounding has an error of up to 0.5 ulp. half\_cos, half\_sin, half\_tan and their native\_ forms are for |x| ≤ 2^16; native\_cos, native\_sin and
native\_log* are measured in ulp of at least 1.0; native\_exp* give 0 below 2^-125, native\_log* of a subnormal number that of 2^-127;
native\_powr(x, y) is native\_exp2(y * native\_log2(x)); lgamma of a negative float is measured in ulp of at least 1.0;
dot and cross in units of the greatest product of components times epsilon (permitted: 7 for 4 components, and 3); vectors
are given by their components.

| function | type | permitted ulp | worst ulp | at | tried |
|---|---|---|---|---|---|
`

// accuracy writes the table of measured errors.
func accuracy(out *bytes.Buffer, file string) error {
	limits := map[string]builtin.Ulp{}
	for r := range builtin.Rows() {
		if l, ok := limits[r.Name]; !ok || l == (builtin.Ulp{}) { // dot is of integers, too
			limits[r.Name] = r.Ulp
		}
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	out.WriteString(measured)
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		w := strings.Fields(sc.Text())
		if len(w) == 0 || w[0] == "#" {
			continue
		}
		limit, ok := limits[w[0]]
		worst, err := strconv.ParseFloat(w[min(3, len(w)-1)], 64)
		if !ok || len(w) < 5 || err != nil {
			return fmt.Errorf("%s: bad line %q", file, sc.Text())
		}
		permitted := map[string]float64{"float": limit.Float, "double": limit.Double, "half": limit.Half}[w[1]]
		bound := strconv.FormatFloat(permitted, 'g', -1, 64)
		switch {
		case permitted < 0:
			bound = "–"
		case permitted == 0:
			bound = "0.5"
		}
		at := make([]string, 0, 2)
		for _, a := range w[4:] {
			x, err := strconv.ParseFloat(a, 64)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			at = append(at, a+" ("+strconv.FormatFloat(x, 'g', 6, 64)+")")
		}
		fmt.Fprintf(out, "| %s | %s | %s | %.3f | %s | %s |\n", w[0], w[1], bound, math.Ceil(worst*1000)/1000, strings.Join(at, ", "), w[2])
	}
	return sc.Err()
}

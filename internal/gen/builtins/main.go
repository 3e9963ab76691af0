// Command builtins writes docs/builtins.md from the table of builtin functions and the errors that their tests
// measured. go generate runs it in internal/front/builtin.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"log"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/front/builtin"
)

const head = `# The builtin functions

<!-- Written by go generate in internal/front/builtin from its table and testdata/accuracy.txt. -->

The functions of the OpenCL C specification and its extensions that PureCL declares, by section.

- A family is one row: ` + "`vload{2,3,4}`" + ` is three functions, and n or op in the text is the part in braces.
- *Needs* is the required version, extension or feature.
- *Ulp* is the permitted error of float / double / half; 0 means correctly rounded, – means unbounded.
- A signature with a word of this table stands for several overloads. The words of a signature are replaced together:

| word | stands for |
|---|---|
| gentype | any scalar type and vector of 2, 3, 4, 8, 16; gentype*n*: with n components; gentypen, gentypem: of shuffle |
| gentypef, vgentypef | half, float, double: scalars and vectors; vectors |
| gentypef32 | float and its vectors |
| gentypei, vgentypei | the integers: scalars and vectors; vectors |
| gentypesi, gentypei32, gentypein | signed integers; int and uint; integers of 8, 16 and 32 bits: scalars and vectors |
| gentypeg, gentypeg32, gentypex | floating point of 1 to 4 components; float of these; floating point of 3 and 4 |
| elem, elemi, elemc | a scalar; an integer; a 32-bit or 64-bit integer or floating point |
| elema, elemai, elemaf | scalar types of atomics: all; integers; floating point |
| sgentype | the component of gentype |
| igentype, ugentype, wgentype | signed, unsigned integer of the same width; integer of twice the width |
| intn, uintn, relgentype | int, uint, result type of comparisons, with the same number of components |
| any, a\|b | any of private, local, global and generic memory; either a or b |
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
		if r.Flags&builtin.Internal != 0 {
			continue
		}
		if rows[r.Spec] == nil {
			sections = append(sections, r.Spec)
		}
		rows[r.Spec] = append(rows[r.Spec], r)
	}
	for _, section := range sections {
		list := rows[section]
		fmt.Fprintf(out, "\n## %s\n", section)
		common := list[0].Requires
		for _, r := range list {
			if r.Requires != common {
				common = ""
			}
		}
		if common != "" {
			fmt.Fprintf(out, "\nAll need %s.\n", needsText(list[0]))
		}
		table(out, list, common == "")
	}
}

// table writes the functions of a section, without empty columns.
func table(out *bytes.Buffer, list []*builtin.Row, needs bool) {
	lines := [][]string{}
	for _, r := range list {
		doc := escape(r.Doc)
		if r.Impl == builtin.ImplNone {
			doc += " (compiles; a kernel that calls it cannot be launched)"
		}
		need := ""
		if needs {
			need = needsText(r)
		}
		lines = append(lines, []string{signatures(r), need, r.Accuracy(), doc})
	}
	lines = families(lines)
	titles := []string{"function", "needs", "ulp", ""}
	var keep []int
	for i := range titles {
		if slices.ContainsFunc(lines, func(l []string) bool { return l[i] != "" }) {
			keep = append(keep, i)
		}
	}
	write := func(cells []string) {
		for _, i := range keep {
			fmt.Fprintf(out, "| %s ", cells[i])
		}
		out.WriteString("|\n")
	}
	out.WriteByte('\n')
	write(titles)
	out.WriteString(strings.Repeat("|---", len(keep)) + "|\n")
	for _, l := range lines {
		write(l)
	}
}

func signatures(r *builtin.Row) string {
	var list []string
	for _, s := range r.Sigs {
		list = append(list, "`"+escape(s)+"`")
	}
	return strings.Join(list, "<br>")
}

// needsText returns the requirements of a function as Markdown.
func needsText(r *builtin.Row) string { return strings.ReplaceAll(r.Needs(), "__", "\\_\\_") }

func escape(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

const measured = `
# Measured errors

The worst error that the tests have seen, in ulp, and the argument that gave it (internal/front/builtin, ` + "`go test -run Accuracy`" + `). The tests hold
what they measure to these values, and these to the permitted ones. References: float64 for float and half, mpmath at 1400 bits for double.
Correct rounding has an error of up to 0.5 ulp. *all*: every argument was tried; else as many as said.

- half\_cos, half\_sin, half\_tan and their native\_ forms are for |x| ≤ 2^16.
- native\_cos, native\_sin, native\_log* and lgamma of a negative float are measured in ulp of at least 1.0.
- native\_exp* give 0 below 2^-125; native\_log* of a subnormal number give that of 2^-127; native\_powr(x, y) is native\_exp2(y * native\_log2(x)).
- dot and cross are measured in units of the greatest product of components times epsilon (permitted: 7 for 4 components, and 3).

| function | float | double | half |
|---|---|---|---|
`

// accuracy writes the table of measured errors, with a row for each function.
func accuracy(out *bytes.Buffer, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	out.WriteString(measured)
	cells := map[string]*[3]string{}
	var names []string
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		w := strings.Fields(sc.Text())
		if len(w) == 0 || w[0] == "#" {
			continue
		}
		column := slices.Index([]string{"float", "double", "half"}, w[min(1, len(w)-1)])
		worst, err := strconv.ParseFloat(w[min(3, len(w)-1)], 64)
		if column < 0 || len(w) < 5 || err != nil {
			return fmt.Errorf("%s: bad line %q", file, sc.Text())
		}
		if cells[w[0]] == nil {
			cells[w[0]] = &[3]string{}
			names = append(names, w[0])
		}
		at := make([]string, 0, 2)
		for _, a := range w[4:] {
			x, err := strconv.ParseFloat(a, 64)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			at = append(at, strconv.FormatFloat(x, 'g', 5, 64))
		}
		cells[w[0]][column] = fmt.Sprintf("%.3f at %s; %s", math.Ceil(worst*1000)/1000, strings.Join(at, ", "), w[2])
	}
	for _, name := range names {
		c := cells[name]
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", name, c[0], c[1], c[2])
	}
	return sc.Err()
}

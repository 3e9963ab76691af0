package ptxsim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// registers matches the registers that functions declare, not the special ones.
var registers = regexp.MustCompile(`%(?:[phrd]\d+\b|(?:rounds|parted|before|slot)\b)`)

// Undefined returns the instructions of a module that read a register which some path from the function's beginning
// does not set. The simulator gives such registers zero, and so hides them. A conditional instruction counts as
// setting its result.
func Undefined(text string) (found []string) {
	for _, body := range strings.Split(text, "\n{\n")[1:] {
		body, _, _ = strings.Cut(body, "\n}\n")
		found = append(found, newGraph(body).undefined()...)
	}
	return found
}

// A flowGraph is the control flow of a function.
type flowGraph struct {
	blocks  []*flowBlock
	labels  map[string]int
	numbers map[string]int // of registers
}

type flowBlock struct {
	steps []flowStep
	succ  []string // labels
	falls bool     // control may reach the next block
	in    []uint64 // the registers that are set at its begin, nil if it is not reached
}

type flowStep struct {
	text  string
	reads []int
	sets  []int
}

func newGraph(body string) *flowGraph {
	g := &flowGraph{labels: map[string]int{}, numbers: map[string]int{}}
	b := g.block()
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if label, ok := strings.CutSuffix(line, ":"); ok {
			if len(b.steps) > 0 {
				b = g.block()
			}
			g.labels[label] = len(g.blocks) - 1
			continue
		}
		if line == "" || strings.HasPrefix(line, ".") || strings.HasPrefix(line, "//") {
			continue
		}
		s, target := g.step(line)
		b.steps = append(b.steps, s)
		conditional := strings.HasPrefix(line, "@")
		switch {
		case target != "":
			b.succ, b.falls = append(b.succ, target), conditional
			b = g.block()
		case strings.Contains(line, "exit;") || strings.Contains(line, "ret;"):
			if !conditional {
				b.falls = false
				b = g.block()
			}
		}
	}
	return g
}

func (g *flowGraph) block() *flowBlock {
	b := &flowBlock{falls: true}
	g.blocks = append(g.blocks, b)
	return b
}

// step parses an instruction, and returns the label that it branches to.
func (g *flowGraph) step(line string) (s flowStep, target string) {
	s.text = line
	rest := strings.TrimSuffix(line, ";")
	if guard, after, ok := strings.Cut(rest, " "); ok && strings.HasPrefix(guard, "@") {
		s.reads = g.list(guard)
		rest = strings.TrimSpace(after)
	}
	op, args, _ := strings.Cut(rest, " ")
	name, _, _ := strings.Cut(op, ".")
	switch name {
	case "bra":
		return s, strings.TrimSpace(args)
	case "st", "red", "bar", "barrier", "membar", "fence", "exit", "ret", "call", "prefetch":
		if strings.HasPrefix(op, "bar.red") || strings.HasPrefix(op, "barrier.red") {
			break
		}
		s.reads = append(s.reads, g.list(args)...)
		return s, ""
	}
	result, operands := args, ""
	if strings.HasPrefix(args, "{") {
		result, operands, _ = strings.Cut(args, "}")
	} else {
		result, operands, _ = strings.Cut(args, ",")
	}
	s.sets = g.list(result)
	s.reads = append(s.reads, g.list(operands)...)
	return s, ""
}

// list returns the numbers of the registers in a text.
func (g *flowGraph) list(text string) (list []int) {
	for _, name := range registers.FindAllString(text, -1) {
		n, ok := g.numbers[name]
		if !ok {
			n = len(g.numbers)
			g.numbers[name] = n
		}
		list = append(list, n)
	}
	return list
}

// undefined returns the instructions that read a register that is not set on all paths.
func (g *flowGraph) undefined() (found []string) {
	words := (len(g.numbers) + 63) / 64
	g.blocks[0].in = make([]uint64, words)
	work := []int{0}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		b := g.blocks[i]
		set := slices.Clone(b.in)
		for _, s := range b.steps {
			for _, r := range s.sets {
				set[r/64] |= 1 << (r % 64)
			}
		}
		next := []int{}
		for _, label := range b.succ {
			next = append(next, g.labels[label])
		}
		if b.falls && i+1 < len(g.blocks) {
			next = append(next, i+1)
		}
		for _, n := range next {
			if g.blocks[n].meet(set) {
				work = append(work, n)
			}
		}
	}
	names := make([]string, len(g.numbers))
	for name, n := range g.numbers {
		names[n] = name
	}
	for _, b := range g.blocks {
		if b.in == nil {
			continue
		}
		set := slices.Clone(b.in)
		for _, s := range b.steps {
			for _, r := range s.reads {
				if set[r/64]>>(r%64)&1 == 0 {
					found = append(found, fmt.Sprintf("%s: %s is not set on all paths", s.text, names[r]))
				}
			}
			for _, r := range s.sets {
				set[r/64] |= 1 << (r % 64)
			}
		}
	}
	return found
}

// meet keeps the registers that are set on one more path. It reports whether they have changed.
func (b *flowBlock) meet(set []uint64) (changed bool) {
	if b.in == nil {
		b.in = slices.Clone(set)
		return true
	}
	for i := range set {
		if x := b.in[i] & set[i]; x != b.in[i] {
			b.in[i], changed = x, true
		}
	}
	return changed
}

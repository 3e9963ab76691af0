package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
)

// buildWord is the hidden flag for one word of compiler options.
const buildWord = "build-option"

// arrange rewrites a command line for kong. Flags come first, each with its value in one word, then the compiler's
// options in clang's spelling as --build-option=WORD, in their order, then "--" and the operands. A command's own
// flags take precedence over compiler options: -g of run is the number of work-items, -g of check is clang's.
func arrange(model *kong.Application, args []string) ([]string, error) {
	at := 0
	for at < len(args) && strings.HasPrefix(args[at], "-") {
		at++
	}
	if at == len(args) {
		return args, nil
	}
	var cmd *kong.Node
	for _, n := range model.Children {
		if n.Name == args[at] {
			cmd = n
		}
	}
	if cmd == nil {
		return nil, unknownCommand(model, args[at])
	}
	w := words{cmd: cmd, compiles: flagNamed(cmd, buildWord) != nil}
	for rest := args[at+1:]; len(rest) > 0; {
		n, err := w.take(rest)
		if err != nil {
			return nil, err
		}
		rest = rest[n:]
	}
	if err := w.checkPositional(); err != nil {
		return nil, err
	}
	out := append(append([]string{}, args[:at+1]...), w.flags...)
	if len(w.positional) > 0 {
		out = append(append(out, "--"), w.positional...)
	}
	return out, nil
}

func unknownCommand(model *kong.Application, name string) error {
	var names []string
	for _, n := range model.Children {
		names = append(names, n.Name)
	}
	if strings.HasSuffix(name, ".cl") {
		return usagef("%q is no command; to run its kernels: purecl run %s; to check it: purecl check %s", name, name, name)
	}
	if near, ok := diag.Nearest(name, names); ok {
		return usagef("there is no command %q; did you mean %q?", name, near)
	}
	return usagef("there is no command %q; there are %s", name, strings.Join(names, ", "))
}

// words sorts the words after a command's name.
type words struct {
	cmd        *kong.Node
	compiles   bool // the command takes compiler options
	help       bool
	flags      []string
	positional []string
}

// take sorts the first word with its values, and returns the number of words taken.
func (w *words) take(rest []string) (int, error) {
	word := rest[0]
	switch {
	case word == "--":
		w.positional = append(w.positional, rest[1:]...)
		return len(rest), nil
	case word == "-" || !strings.HasPrefix(word, "-") || w.operand(word):
		w.positional = append(w.positional, word)
		return 1, nil
	case strings.HasPrefix(word, "--"):
		return w.long(rest)
	}
	return w.short(rest)
}

// operand reports whether a word that begins with a hyphen is an operand: a negative number of eval, a warning's
// name of explain.
func (w *words) operand(word string) bool {
	switch w.cmd.Name {
	case "eval":
		return strings.ContainsRune("0123456789.(", rune(word[1]))
	case "explain":
		return strings.HasPrefix(word, "-W")
	}
	return false
}

func (w *words) long(rest []string) (int, error) {
	name, value, has := strings.Cut(rest[0][2:], "=")
	f := flagNamed(w.cmd, name)
	_, build := option.IsOption(rest[0][1:])
	switch {
	case name == "help":
		w.help = true
	case f == nil && w.compiles && build && len(name) > 1: // --cl-std=CL3.0
		return w.build(append([]string{rest[0][1:]}, rest[1:]...))
	case f == nil:
		return 0, w.unknown(rest[0], "--"+name)
	case f.IsBool():
	case !has && len(rest) == 1:
		return 0, usagef("--%s needs a value%s", name, flagHelp(f))
	case !has:
		w.flags = append(w.flags, "--"+name+"="+rest[1])
		return 2, nil
	default:
		w.flags = append(w.flags, "--"+name+"="+value)
		return 1, nil
	}
	w.flags = append(w.flags, rest[0])
	return 1, nil
}

// short sorts a word with one hyphen: -g 64, -g64, -qs or a compiler option. A compiler option of several letters,
// such as -pedantic, is not the flag -p.
func (w *words) short(rest []string) (int, error) {
	word := rest[0]
	if name, _, _ := strings.Cut(word[1:], "="); len(name) > 1 && flagNamed(w.cmd, name) != nil {
		return 0, usagef("%s: unknown option '%s'; did you mean '-%s'?", w.cmd.Name, word, word)
	}
	if w.compiles && option.IsLong(word) {
		return w.build(rest)
	}
	r, size := utf8.DecodeRuneInString(word[1:])
	f, tail := flagOf(w.cmd, r), word[1+size:]
	switch {
	case f == nil && w.compiles:
		if _, ok := option.IsOption(word); !ok {
			return 0, w.unknown(word, "-"+word)
		}
		return w.build(rest)
	case f == nil:
		return 0, w.unknown(word, "-"+word)
	case f.Name == "help":
		w.help = true
		w.flags = append(w.flags, "--help")
		return 1, nil
	case f.IsBool():
		if tail == "" {
			w.flags = append(w.flags, "--"+f.Name)
			return 1, nil
		}
		w.flags = append(w.flags, "--"+f.Name)
		n, err := w.short(append([]string{"-" + tail}, rest[1:]...))
		return n, err
	case tail != "":
		w.flags = append(w.flags, "--"+f.Name+"="+tail)
		return 1, nil
	case len(rest) == 1:
		return 0, usagef("%s needs a value%s", word, flagHelp(f))
	}
	w.flags = append(w.flags, "--"+f.Name+"="+rest[1])
	return 2, nil
}

// build takes a compiler option with its argument.
func (w *words) build(rest []string) (int, error) {
	separate, _ := option.IsOption(rest[0])
	w.flags = append(w.flags, "--"+buildWord+"="+rest[0])
	if !separate {
		return 1, nil
	}
	if len(rest) == 1 {
		return 0, usagef("compiler option '%s' needs an argument", rest[0])
	}
	w.flags = append(w.flags, "--"+buildWord+"="+rest[1])
	return 2, nil
}

// unknown returns the error of an option that neither the command nor the compiler has. near is its spelling as a
// long flag.
func (w *words) unknown(word, near string) error {
	near, _, _ = strings.Cut(near, "=")
	names := []string{"--help"}
	for _, f := range w.cmd.Flags {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	}
	hint := fmt.Sprintf("; `purecl %s --help` lists the options", w.cmd.Name)
	if s, ok := diag.Nearest(near, names); ok {
		hint = fmt.Sprintf("; did you mean '%s'?", s)
	} else if s := option.Nearest(word); w.compiles && len(word) > 3 && s != "" {
		hint = fmt.Sprintf("; did you mean '%s'?", s)
	}
	if w.cmd.Name == "eval" {
		hint += "; before an expression that begins with a minus sign goes --"
	}
	return usagef("%s: unknown option '%s'%s", w.cmd.Name, word, hint)
}

// checkPositional returns an error for missing or superfluous operands.
func (w *words) checkPositional() error {
	want := w.cmd.Positional
	if w.help {
		return nil
	}
	if len(w.positional) < len(want) && want[len(w.positional)].Required {
		p := want[len(w.positional)]
		return usagef("%s needs %s; `purecl %s --help` has examples", w.cmd.Name, positionalHelp(p), w.cmd.Name)
	}
	many := len(want) > 0 && want[len(want)-1].IsSlice()
	if many || len(w.positional) <= len(want) {
		return nil
	}
	extra := w.positional[len(want):]
	if flagNamed(w.cmd, "arg") != nil {
		return usagef("%q is no option: a kernel's arguments are given with -a, in order or by name: purecl %s %s -a %s", extra[0], w.cmd.Name, w.positional[0], strings.Join(quoteAll(extra), " -a "))
	}
	if len(want) == 0 {
		return usagef("%s takes no arguments: %q is too much", w.cmd.Name, extra[0])
	}
	return usagef("%s takes %s: %q is one too many", w.cmd.Name, positionalHelp(want[0]), extra[0])
}

// quoteAll quotes words for a shell if they need it.
func quoteAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s
		if s == "" || strings.ContainsAny(s, " \t\n\"'\\$`(){}[]*?<>|&;#~") {
			out[i] = "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
	}
	return out
}

func flagNamed(cmd *kong.Node, name string) *kong.Flag {
	for _, f := range cmd.Flags {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func flagOf(cmd *kong.Node, short rune) *kong.Flag {
	if short == 'h' {
		return &kong.Flag{Value: &kong.Value{Name: "help"}}
	}
	for _, f := range cmd.Flags {
		if f.Short == short {
			return f
		}
	}
	return nil
}

func flagHelp(f *kong.Flag) string {
	s := ": " + strings.TrimSuffix(lowerFirst(f.Help), ".")
	if f.PlaceHolder != "" {
		s = ", " + f.PlaceHolder + s
	}
	return s
}

func positionalHelp(p *kong.Positional) string {
	s, _, _ := strings.Cut(p.Help, ";")
	s, _, _ = strings.Cut(s, ".")
	return "a " + lowerFirst(strings.TrimSuffix(s, "s"))
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

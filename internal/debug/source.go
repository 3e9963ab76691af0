package debug

import (
	"path/filepath"
	"slices"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/program"
)

// A sourceMap maps positions of the program to its statements, files, functions and variables. It must not know of a
// launch.
type sourceMap struct {
	module     *program.Module
	src        *diag.Source
	statements []Statement
	ofPos      map[statementKey]int
}

// A Statement is a possible stop.
type Statement struct {
	Func *ssa.Func
	File string
	ssa.Range
}

type statementKey struct {
	f   *ssa.Func
	pos diag.Pos
}

// statementAt returns the index of f's innermost statement that contains pos. It returns -1 if no statement does.
func (s *sourceMap) statementAt(f *ssa.Func, pos diag.Pos) int {
	if f.Debug == nil || !pos.IsValid() {
		return -1
	}
	key := statementKey{f, pos}
	if n, ok := s.ofPos[key]; ok {
		return n
	}
	loc := s.src.Location(pos)
	at := ssa.LineColumn{Line: loc.Line, Column: loc.Column}
	best := -1
	for i := range s.statements {
		if t := &s.statements[i]; t.Func == f && t.File == loc.File && t.Contains(at) && (best < 0 || t.Within(s.statements[best].Range)) {
			best = i
		}
	}
	s.ofPos[key] = best
	return best
}

// Statement returns statement n.
func (s *sourceMap) Statement(n int) *Statement { return &s.statements[n] }

// Files returns the names of the files with statements.
func (s *sourceMap) Files() (list []string) {
	for i := range s.statements {
		if !slices.Contains(list, s.statements[i].File) {
			list = append(list, s.statements[i].File)
		}
	}
	return list
}

// Text returns the text of a file of the program, nil if the program has no file of that name.
func (s *sourceMap) Text(file string) []byte {
	for _, u := range s.module.Units {
		if u.Source.Name == file {
			return []byte(u.Source.Text)
		}
		if b, ok := u.Files[file]; ok {
			return b
		}
		if b, ok := u.Source.Headers[file]; ok {
			return []byte(b)
		}
	}
	return nil
}

// sameFile reports whether a user's file name denotes the program's file.
func sameFile(user, file string) bool {
	if user == "" || user == file {
		return true
	}
	a, aerr := filepath.Abs(user)
	b, berr := filepath.Abs(file)
	return aerr == nil && berr == nil && a == b || filepath.Base(user) == user && filepath.Base(file) == user
}

// firstOf returns the first statement of each function in the list.
func (s *sourceMap) firstOf(list []int) (out []int) {
	for _, i := range list {
		first := true
		for _, k := range list {
			t, u := &s.statements[i], &s.statements[k]
			first = first && (t.Func != u.Func || !u.From.Before(t.From))
		}
		if first {
			out = append(out, i)
		}
	}
	return out
}

// nearest returns the statement of an activation. Before the function's first statement it returns that one.
func (s *sourceMap) nearest(f *interp.Frame) int {
	if f.Statement >= 0 {
		return f.Statement
	}
	for i := range s.statements {
		if s.statements[i].Func == f.Func {
			return i
		}
	}
	return -1
}

// hidden reports whether another variable hides this one.
func hidden(d *ssa.DebugInfo, i int, at ssa.LineColumn) bool {
	for k := range d.Vars {
		if k != i && d.Vars[k].Name == d.Vars[i].Name && d.Vars[k].Scope.Contains(at) && d.Vars[i].Scope.From.Before(d.Vars[k].Scope.From) {
			return true
		}
	}
	return false
}

// frame returns the function and the position of an activation for the user.
func (s *sourceMap) frame(f *interp.Frame) Frame {
	out := Frame{Function: f.Func.Name}
	if d := f.Func.Debug; d != nil {
		loc := s.src.Location(f.Pos)
		out.Function, out.File, out.Line, out.Column = d.Name, loc.File, loc.Line, loc.Column
		if f.Statement >= 0 {
			t := &s.statements[f.Statement]
			out.Line, out.Column = t.From.Line, t.From.Column
		}
		if f.Pos == 0 || out.Line == 0 {
			out.File, out.Line, out.Column = d.File, d.From.Line, d.From.Column
		}
	}
	return out
}

// Location resolves a position of the program's source.
func (s *sourceMap) Location(p diag.Pos) diag.Location { return s.src.Location(p) }

// declared returns the variable of an uninitialised value with its file, nil if unknown.
func (s *sourceMap) declared(f *exec.Finding) (*ssa.DebugVar, string) {
	for _, fn := range s.module.Funcs {
		if d := fn.Debug; d != nil {
			for i := range d.Vars {
				loc := s.src.Location(f.Pos)
				if v := &d.Vars[i]; f.Note == "variable '"+v.Name+"'" && d.File == loc.File && v.Scope.Contains(ssa.LineColumn{Line: loc.Line, Column: loc.Column}) {
					return v, d.File
				}
			}
		}
	}
	return nil, ""
}

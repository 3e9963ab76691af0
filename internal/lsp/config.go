package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/purecl/purecl/internal/ide"
)

// Settings are the client's settings: initializationOptions, or the section "purecl" of its configuration.
type Settings struct {
	// Options are build options for all kernels, before those of purecl.toml.
	Options string `json:"options"`
	// Conversions shows implicit conversions as inlay hints.
	Conversions bool `json:"conversions"`
	// Accesses shows the shapes of kernels' memory accesses, once there is machine code.
	Accesses bool `json:"accesses"`
	// Spills shows loops that spill registers.
	Spills bool `json:"spills"`
	// Level is the CPU level of the hints, such as "avx2"; "" is this processor's.
	Level string `json:"level"`
	// ClangFormat is the path of the formatter; "" is clang-format in the PATH.
	ClangFormat string `json:"clangFormat"`
	// CodeLens shows a lens above each kernel that runs it. The client must implement the command purecl.run.
	CodeLens bool `json:"codeLens"`
	// GoFiles enables diagnostics of kernels in Go files.
	GoFiles bool `json:"goFiles"`
}

// defaultSettings returns the settings of a client that sets none.
func defaultSettings() Settings {
	return Settings{Conversions: true, Accesses: true, Spills: true, GoFiles: true}
}

// readSettings parses settings over the defaults. They may be nested in an object "purecl".
func readSettings(data json.RawMessage) (Settings, error) {
	s := defaultSettings()
	if len(data) == 0 || string(data) == "null" {
		return s, nil
	}
	var outer struct {
		PureCL json.RawMessage `json:"purecl"`
	}
	if err := json.Unmarshal(data, &outer); err == nil && outer.PureCL != nil {
		data = outer.PureCL
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&s); err != nil {
		return defaultSettings(), fmt.Errorf("the settings of purecl are not as expected: %w", err)
	}
	return s, nil
}

// ConfigFile is the name of the file with a project's build options.
const ConfigFile = "purecl.toml"

// A project is the contents of a purecl.toml.
type project struct {
	Options words   `toml:"options"`
	Files   []files `toml:"files"`
}

// files are the options of some of a project's files.
type files struct {
	Match   string `toml:"match"` // a pattern of path.Match, for the path from the project's folder or for the name alone
	Options words  `toml:"options"`
}

// words are options, given as one string or a list of strings.
type words string

// UnmarshalTOML reads options.
func (w *words) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case string:
		*w = words(v)
		return nil
	case []any:
		var list []string
		for _, x := range v {
			s, ok := x.(string)
			if !ok {
				return fmt.Errorf("options: %v is no string", x)
			}
			list = append(list, s)
		}
		*w = words(strings.Join(list, " "))
		return nil
	}
	return fmt.Errorf("options: got %v; expected a string or a list of strings", v)
}

// parseProject parses a purecl.toml. An unknown key is an error.
func parseProject(text []byte) (*project, error) {
	var p project
	meta, err := toml.Decode(string(text), &p)
	if err != nil {
		return nil, err
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return nil, fmt.Errorf("unknown key %q; keys are options, and match and options of [[files]]", extra[0].String())
	}
	for _, f := range p.Files {
		if _, err := path.Match(f.Match, ""); err != nil || f.Match == "" {
			return nil, fmt.Errorf("match = %q is no pattern of file names such as \"kernels/*.cl\"", f.Match)
		}
	}
	return &p, nil
}

// optionsOf returns the options of a file, whose path is relative to the project's folder.
func (p *project) optionsOf(rel string) string {
	list := []string{string(p.Options)}
	for _, f := range p.Files {
		full, _ := path.Match(f.Match, rel)
		base, _ := path.Match(f.Match, path.Base(rel))
		if full || base {
			list = append(list, string(f.Options))
		}
	}
	return strings.TrimSpace(strings.Join(list, " "))
}

// maxParents is the number of folders above a file in which its purecl.toml may be.
const maxParents = 64

// A projectError is a mistake in a purecl.toml.
type projectError struct {
	file string
	line int // from 1, 0 if unknown
	err  error
}

func (e *projectError) Error() string { return fmt.Sprintf("%s: %v", e.file, e.err) }

// projectOf reads the purecl.toml that applies to a file; p is nil if there is none.
func (s *Server) projectOf(file string) (p *project, dir string, err error) {
	if !path.IsAbs(file) && !filepath.IsAbs(filepath.FromSlash(file)) {
		return nil, "", nil
	}
	dir = path.Dir(file)
	for range maxParents {
		name := path.Join(dir, ConfigFile)
		text, err := s.readFile(name)
		switch {
		case err == nil:
			if p, err = parseProject(text); err != nil {
				e := &projectError{file: name, err: err}
				var at toml.ParseError
				if errors.As(err, &at) {
					e.line, e.err = at.Position.Line, errors.New(at.Message)
				}
				return nil, dir, e
			}
			return p, dir, nil
		case !errors.Is(err, fs.ErrNotExist):
			return nil, dir, &projectError{file: name, err: err}
		}
		up := path.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return nil, "", nil
}

// buildOf returns the build options of a file with the given text.
func (s *Server) buildOf(file string, text []byte) (list []ide.Build, err error) {
	if o := s.settings().Options; o != "" {
		list = append(list, ide.Build{Options: o, Dir: s.root})
	}
	p, dir, err := s.projectOf(file)
	if p != nil {
		rel := strings.TrimPrefix(strings.TrimPrefix(file, dir), "/")
		if o := p.optionsOf(rel); o != "" {
			list = append(list, ide.Build{Options: o, Dir: dir})
		}
	}
	if o := ide.CommentOptions(text); o != "" {
		list = append(list, ide.Build{Options: o, Dir: path.Dir(file)})
	}
	return list, err
}

// maxFile is the size in bytes of the largest readable file.
const maxFile = 256 << 20

// readFile reads a file. For an open document it returns the editor's text.
func (s *Server) readFile(name string) ([]byte, error) {
	name = path.Clean(name)
	if !path.IsAbs(name) && s.root != "" && !filepath.IsAbs(filepath.FromSlash(name)) {
		name = path.Join(s.root, name)
	}
	if d := s.docs.byPath(name); d != nil {
		return d.text, nil
	}
	disk := filepath.FromSlash(name)
	st, err := os.Stat(disk)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	if st.Size() > maxFile {
		return nil, fmt.Errorf("%s is larger than %d MiB", name, maxFile>>20)
	}
	return os.ReadFile(disk)
}

// listDir lists a directory for the completion of include paths.
func (s *Server) listDir(name string) (names []string) {
	if !path.IsAbs(name) && s.root != "" {
		name = path.Join(s.root, name)
	}
	list, err := os.ReadDir(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if e.IsDir() {
			names = append(names, e.Name()+"/")
		} else {
			names = append(names, e.Name())
		}
	}
	return names
}

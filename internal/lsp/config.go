package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/BurntSushi/toml"
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

// A projectError is a mistake in a purecl.toml.
type projectError struct {
	file string
	line int // from 1, 0 if unknown
	err  error
}

func (e *projectError) Error() string { return fmt.Sprintf("%s: %v", e.file, e.err) }

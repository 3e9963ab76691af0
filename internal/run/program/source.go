package program

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/option"
)

// A Source is the text of a program with its headers.
type Source struct {
	Name    string            // in diagnostics
	Text    string            // OpenCL C
	Headers map[string]string // by the name in #include; they take precedence over files
	// FS, unless nil, is the file system from which #include reads; else #include reads files of the process,
	// in the directories of -I and of Name.
	FS fs.FS
	// Watched is set if launches will have checks: the program is then compiled for them now instead of at the
	// first such launch. Its results are the same.
	Watched bool
}

// A Unit is a translation unit with everything on which its compilation depends.
type Unit struct {
	Source  Source
	Options *option.Build     // nil: none
	Files   map[string][]byte // files read by #include; nil before the first compilation
}

// compileOptions returns the options to compile the unit. The unit keeps the files that it includes.
func (u *Unit) compileOptions() *compile.Options {
	o := compileOptions(u.Options)
	o.Source.Headers = map[string][]byte{}
	for name, text := range u.Source.Headers {
		o.Source.Headers[name] = []byte(text)
	}
	if u.Files != nil { // a second compilation reads no files
		o.Source.ReadFile = func(name string) ([]byte, error) {
			if b, ok := u.Files[name]; ok {
				return b, nil
			}
			return nil, fs.ErrNotExist
		}
		return o
	}
	u.Files = map[string][]byte{}
	read, files := u.Source.reader(), u.Files
	o.Source.ReadFile = func(name string) ([]byte, error) {
		b, err := read(name)
		if err == nil {
			files[name] = b
		}
		return b, err
	}
	return o
}

// compileOptions returns the compiler's options of a build; nil means no options.
func compileOptions(b *option.Build) *compile.Options {
	if b == nil {
		b = &option.Build{}
	}
	return compile.NewOptions(b)
}

// maxInclude bounds the size of an included file in bytes.
const maxInclude = 256 << 20

// reader returns a function that reads included files.
func (s *Source) reader() func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		open := func() (fs.File, error) { return os.Open(name) }
		if s.FS != nil {
			open = func() (fs.File, error) { return s.FS.Open(filepath.ToSlash(filepath.Clean(name))) }
		}
		f, err := open()
		if err != nil {
			return nil, err
		}
		defer f.Close()
		st, err := f.Stat()
		switch {
		case err != nil:
			return nil, err
		case st.IsDir():
			return nil, &fs.PathError{Op: "include", Path: name, Err: fs.ErrNotExist}
		case !st.Mode().IsRegular() || st.Size() > maxInclude:
			return nil, &fs.PathError{Op: "include", Path: name, Err: errors.New("not a regular file, or too large")}
		}
		b := make([]byte, st.Size())
		for n := 0; n < len(b); {
			k, err := f.Read(b[n:])
			if n += k; err != nil || k == 0 {
				return b[:n], nil
			}
		}
		return b, nil
	}
}

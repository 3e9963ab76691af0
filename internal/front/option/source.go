package option

import (
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
)

// A Source is the part of the options that determines how a translation unit is read.
type Source struct {
	Std         opencl.Version    // -cl-std
	Defines     []Define          // -D and -U in order
	Extensions  []Extension       // -cl-ext in order
	IncludeDirs []string          // -I in order
	Headers     map[string][]byte // in-memory headers by name; looked up before the directories
	// ReadFile reads an included file; nil means that files may not be read. For a missing file it must return an
	// error that satisfies errors.Is(err, fs.ErrNotExist).
	ReadFile        func(name string) ([]byte, error)
	Now             time.Time // for __DATE__ and __TIME__; the zero time means the time of the call
	MaxTokens       int       // limit on tokens; 0 means 1<<24. Macros may produce at most 1<<23
	MaxDepth        int       // limit on nested includes and nesting of the grammar; 0 means 200 and 256
	FastMath        bool      // -cl-fast-relaxed-math: defines __FAST_RELAXED_MATH__
	KernelInfo      bool      // -cl-kernel-arg-info
	SinglePrecision bool      // -cl-single-precision-constant: a floating constant without suffix is a float
}

// A Define is one -D (Undef false) or -U.
type Define struct {
	Name  string
	Value string // replacement text; "1" if -D has none
	Undef bool
}

// An Extension is an extension or feature that -cl-ext enables or disables; the name "all" means all of them.
type Extension struct {
	Name string
	On   bool
}

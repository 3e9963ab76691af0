package exec

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/image"
)

// An Object is a memory object that pointers refer to by number.
type Object struct {
	Name     string
	Space    ssa.Kind     // PtrGlobal, PtrConstant, PtrLocal or PtrPrivate
	Data     []byte       // its bytes, used in place; nil for local and private objects
	Size     int64        // len(Data), or the size of a local object
	ReadOnly bool         // kernels may not write to it
	WhereMsg string       // description for reports: "argument 2", "variable"; may be empty
	Image    *image.Image // of an image: describes Data
}

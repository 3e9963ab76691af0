package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// attrs are the evaluated attributes of a declaration.
type attrs struct {
	packed       bool
	aligned      int64
	extVector    int64
	extVectorAt  diag.Span
	vectorBytes  bool // vector_size: extVector counts bytes
	overloadable bool
	space        types.AddressSpace // from opencl_global and the like
	numbered     bool               // address_space(N)
	spaceAt      diag.Span          // of the last attribute with an address space
	spaces       int                // number of different address spaces
	noInline     bool
	alwaysInline bool
	convergent   bool
	unused       bool
	reqd, hint   [3]int64
	subGroup     int64
	vecType      string
	unroll       int
	text         []string // of kernels: each attribute in the spelling of clGetKernelInfo
}

// noAttrs are the attributes of a declaration without attributes. They must not be changed.
var noAttrs attrs

// withAttributes returns a with the attributes of list added.
func (c *declarators) withAttributes(a *attrs, list []*syntax.Attr, place attrPlace) *attrs {
	if len(list) == 0 {
		return a
	}
	both := *a
	both.text = slices.Clip(both.text)
	both.merge(c.attributes(list, place))
	return &both
}

func (a *attrs) merge(b attrs) {
	a.packed = a.packed || b.packed
	a.aligned = max(a.aligned, b.aligned)
	if b.extVector != 0 {
		a.extVector, a.extVectorAt, a.vectorBytes = b.extVector, b.extVectorAt, b.vectorBytes
	}
	a.overloadable = a.overloadable || b.overloadable
	if b.spaceAt.IsValid() {
		if a.spaceAt.IsValid() && (a.space != b.space || a.numbered != b.numbered) {
			a.spaces++
		}
		a.space, a.numbered, a.spaceAt, a.spaces = b.space, b.numbered, b.spaceAt, max(a.spaces, b.spaces)
	}
	a.noInline = a.noInline || b.noInline
	a.alwaysInline = a.alwaysInline || b.alwaysInline
	a.convergent = a.convergent || b.convergent
	a.unused = a.unused || b.unused
	if b.reqd[0] != 0 {
		a.reqd = b.reqd
	}
	if b.hint[0] != 0 {
		a.hint = b.hint
	}
	if b.subGroup != 0 {
		a.subGroup = b.subGroup
	}
	if b.vecType != "" {
		a.vecType = b.vecType
	}
	if b.unroll != 0 {
		a.unroll = b.unroll
	}
	a.text = append(a.text, b.text...)
}

// An attrPlace is the kind of entity that an attribute belongs to.
type attrPlace uint8

const (
	onSpec attrPlace = iota
	onVar
	onParam
	onField
	onRecord
	onFunc
	onPointer
	onEnum
	onStmt
)

// attributes evaluates a list of attributes (OpenCL C, "Attribute Qualifiers", 6.13).
func (c *declarators) attributes(list []*syntax.Attr, place attrPlace) (a attrs) {
	for _, at := range list {
		want := opencl.FindAttribute(at.Name)
		if want == nil {
			c.unknownAttribute(at)
			continue
		}
		if n := len(at.Args); n < want.Min || n > want.Max {
			plural := "s"
			if want.Max == 1 {
				plural = ""
			}
			c.err(diag.AttributeArguments, at.Span(), "'%s' attribute takes %s argument%s", at.Name, attrCount(want), plural)
			continue
		}
		c.attribute(at, place, &a)
	}
	return a
}

// unknownAttribute reports an attribute that the language does not have. Its arguments are expressions; the first
// may be an undeclared name.
func (c *declarators) unknownAttribute(at *syntax.Attr) {
	c.discard++
	defer func() { c.discard-- }()
	for i, arg := range at.Args {
		if arg.Type != nil {
			c.err(diag.ExpectedExpr, arg.Type.Span(), "expected expression")
			return
		}
		if _, isName := arg.X.(*syntax.Name); (i > 0 || !isName) && isBad(c.expr(arg.X)) {
			return
		}
	}
	c.rep.Report(diag.UnknownAttributes, at.Span(), "unknown attribute '%s' ignored", at.Name)
}

func attrCount(w *opencl.Attribute) string {
	switch {
	case w.Max == 0:
		return "no"
	case w.Min == w.Max && w.Max == 1:
		return "one"
	case w.Min == w.Max:
		return "exactly " + strconv.Itoa(w.Max)
	}
	return "no more than " + strconv.Itoa(w.Max)
}

func (c *declarators) attribute(at *syntax.Attr, place attrPlace, a *attrs) {
	switch at.Name {
	case "packed":
		a.packed = true
	case "aligned":
		c.alignedAttr(at, a)
	case "ext_vector_type", "vector_size":
		a.extVector, _ = c.attrInt(at, 0)
		a.extVectorAt = at.Span()
		a.vectorBytes = at.Name == "vector_size"
	case "opencl_global", "opencl_local", "opencl_constant", "opencl_private", "opencl_generic":
		a.setSpace(at, spaceAttrs[at.Name], false)
	case "address_space":
		c.addressSpace(at, a)
	case "overloadable":
		a.overloadable = true
	case "noinline":
		a.noInline = true
	case "always_inline":
		a.alwaysInline = true
	case "convergent":
		a.convergent = true
	case "unused":
		a.unused = true
	case "reqd_work_group_size":
		a.reqd = c.sizes(at, a)
	case "work_group_size_hint":
		a.hint = c.sizes(at, a)
	case "intel_reqd_sub_group_size":
		c.subGroupSize(at, place, a)
	case "vec_type_hint":
		c.vecTypeHint(at, a)
	case "endian":
		c.endian(at)
	case "opencl_unroll_hint":
		c.unrollHint(at, place, a)
	}
}

// spaceAttrs are the address spaces of the attributes that set one.
var spaceAttrs = map[string]types.AddressSpace{"opencl_global": types.Global, "opencl_local": types.Local,
	"opencl_constant": types.Constant, "opencl_private": types.Private, "opencl_generic": types.Generic}

func (a *attrs) setSpace(at *syntax.Attr, s types.AddressSpace, numbered bool) {
	if !a.spaceAt.IsValid() || a.space != s || a.numbered != numbered {
		a.spaces++
	}
	a.space, a.numbered, a.spaceAt = s, numbered, at.Span()
}

// maxAddressSpace is the greatest number that clang accepts.
const maxAddressSpace = 8388586

func (c *declarators) addressSpace(at *syntax.Attr, a *attrs) {
	n, ok := c.attrInt(at, 0)
	switch {
	case !ok:
	case n < 0:
		c.err(diag.AttributeArguments, at.Args[0].X.Span(), "address space is negative")
	case n > maxAddressSpace:
		c.err(diag.AttributeArguments, at.Args[0].X.Span(), "address space is larger than the maximum supported (%d)", maxAddressSpace)
	default:
		a.setSpace(at, types.NoSpace, true)
	}
}

func (c *declarators) alignedAttr(at *syntax.Attr, a *attrs) {
	if len(at.Args) == 0 {
		a.aligned = 16 // the largest alignment of the target's ABI
		return
	}
	n, ok := c.attrInt(at, 0)
	switch {
	case !ok || n == 0:
	case n < 0 || n&(n-1) != 0:
		c.err(diag.InvalidAlignment, at.Args[0].X.Span(), "requested alignment is not a power of 2")
	case n > 1<<28:
		c.err(diag.InvalidAlignment, at.Args[0].X.Span(), "requested alignment must be 268435456 bytes or smaller")
	default:
		a.aligned = max(a.aligned, n)
	}
}

// attrInt evaluates an integer argument; ok is false after an error.
func (c *declarators) attrInt(at *syntax.Attr, i int) (n int64, ok bool) {
	if at.Args[i].X == nil {
		c.err(diag.AttributeArguments, at.Span(), "'%s' attribute requires an integer constant", at.Name)
		return 0, false
	}
	e := c.value(at.Args[i].X)
	if e.Type().IsInvalid() {
		return 0, false
	}
	if k, _ := c.constant(e); k != nil && e.Type().IsInteger() {
		return signedValue(k.T.Num(), k.Bits[0]), true
	}
	c.err(diag.AttributeArguments, at.Args[i].X.Span(), "'%s' attribute requires an integer constant", at.Name)
	return 0, false
}

// sizes evaluates the arguments of a work-group size attribute.
func (c *declarators) sizes(at *syntax.Attr, a *attrs) (n [3]int64) {
	for i := range n {
		var ok bool
		if n[i], ok = c.attrInt(at, i); !ok || n[i] <= 0 || n[i] > 1<<32-1 {
			if ok {
				c.err(diag.AttributeArguments, at.Args[i].X.Span(), "'%s' attribute must be greater than 0", at.Name)
			}
			return [3]int64{}
		}
	}
	a.text = append(a.text, at.Name+"("+strconv.FormatInt(n[0], 10)+","+strconv.FormatInt(n[1], 10)+","+strconv.FormatInt(n[2], 10)+")")
	return n
}

// subGroupSize evaluates intel_reqd_sub_group_size (extension cl_intel_required_subgroup_size). A size that the
// device does not support is an error.
func (c *declarators) subGroupSize(at *syntax.Attr, place attrPlace, a *attrs) {
	n, ok := c.attrInt(at, 0)
	if !ok {
		return
	}
	span := at.Args[0].X.Span()
	switch {
	case n == 0:
		c.err(diag.AttributeArguments, span, "'%s' attribute must be greater than 0", at.Name)
	case !slices.Contains(ssa.SubGroupSizes[:], int(n)):
		c.err(diag.AttributeArguments, span, "'%s' attribute must be one of %s on this device: found %d", at.Name, strings.Trim(fmt.Sprint(ssa.SubGroupSizes), "[]"), n)
	default:
		a.subGroup = n
		a.text = append(a.text, at.Name+"("+strconv.FormatInt(n, 10)+")")
	}
}

func (c *declarators) vecTypeHint(at *syntax.Attr, a *attrs) {
	arg := at.Args[0]
	if arg.Type == nil {
		c.err(diag.AttributeArguments, at.Span(), "'vec_type_hint' attribute requires a type")
		return
	}
	q := c.typeName(arg.Type)
	if q.IsInvalid() {
		return
	}
	if !q.IsVector() && !q.IsArithmetic() || q.Kind == types.Bool {
		c.err(diag.AttributeArguments, arg.Type.Span(), "invalid attribute argument '%s' - expecting a vector or vectorizable scalar type", q)
		return
	}
	a.vecType = q.Type.String()
	a.text = append(a.text, "vec_type_hint("+a.vecType+")")
}

func (c *declarators) endian(at *syntax.Attr) {
	if len(at.Args) == 0 {
		return
	}
	n, ok := at.Args[0].X.(*syntax.Name)
	if !ok || n.Name != "host" && n.Name != "device" {
		c.err(diag.AttributeArguments, at.Span(), "'endian' attribute takes host or device")
	}
}

func (c *declarators) unrollHint(at *syntax.Attr, place attrPlace, a *attrs) {
	if place != onStmt {
		c.rep.Report(diag.IgnoredAttributes, at.Span(), "'opencl_unroll_hint' attribute ignored: it applies to loops")
		return
	}
	if len(at.Args) == 0 {
		a.unroll = -1
		return
	}
	n, ok := c.attrInt(at, 0)
	if !ok {
		return
	}
	if n <= 0 {
		c.err(diag.AttributeArguments, at.Args[0].X.Span(), "'opencl_unroll_hint' attribute requires a positive integral compile time constant expression")
		return
	}
	a.unroll = int(min(n, 1<<20))
}

// loopHints evaluates the attributes of a loop and returns the unroll factor, see Loop.Unroll.
func (c *declarators) loopHints(list []*syntax.Attr) int {
	n := 0
	for _, at := range list {
		if at.Name == "unroll" || at.Name == "nounroll" {
			n = c.pragmaUnroll(at)
		} else if a := c.attributes([]*syntax.Attr{at}, onStmt); a.unroll != 0 {
			n = a.unroll
		}
	}
	return n
}

// pragmaUnroll evaluates "#pragma unroll", "#pragma unroll n" and "#pragma nounroll".
func (c *declarators) pragmaUnroll(at *syntax.Attr) int {
	if at.Name == "nounroll" {
		return 1
	}
	if len(at.Args) == 0 || at.Args[0].X == nil {
		return -1
	}
	n, ok := c.attrInt(at, 0)
	if !ok || n == 0 {
		return 1
	}
	if n < 0 || n > 1<<20 {
		c.err(diag.AttributeArguments, at.Args[0].X.Span(), "invalid value '%s'; must be positive", strconv.FormatInt(n, 10))
		return 0
	}
	return int(n)
}

// kernelAttrs returns the kernel properties that attributes set.
func kernelAttrs(a *attrs, params []paramInfo) *KernelAttrs {
	k := &KernelAttrs{ReqdWorkGroupSize: a.reqd, ReqdSubGroupSize: a.subGroup, WorkGroupSizeHint: a.hint, VecTypeHint: a.vecType, Text: strings.Join(a.text, " "),
		ParamTypes: make([]string, 0, len(params))}
	for _, p := range params {
		k.ParamTypes = append(k.ParamTypes, argTypeName(p.q))
	}
	return k
}

// argTypeName formats a parameter's type for CL_KERNEL_ARG_TYPE_NAME: no qualifiers, no white space before the
// asterisk.
func argTypeName(q types.QType) string {
	if q.Kind == types.Pointer {
		return argTypeName(q.Elem) + "*"
	}
	if q.Kind == types.Image || q.Kind <= types.Vector {
		return q.Name
	}
	return q.Type.String()
}

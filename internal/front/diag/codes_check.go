package diag

// Codes of the checker. The examples are whole translation units.
var (

	// Names and declarations.

	UndeclaredIdentifier = newCode(Code{Name: "undeclared-identifier", Severity: Error,
		Doc:  "A name is used that nothing in sight declares. Look for a misspelling, or for a builtin function that needs another -cl-std or an extension.",
		Spec: "C99 6.5.1 Primary expressions",
		Bad:  "kernel void f(global int *p) {\n  p[0] = vlaue;\n}\n",
		Good: "kernel void f(global int *p) {\n  int value = 1;\n  p[0] = value;\n}\n"})
	UnexpectedType = newCode(Code{Name: "unexpected-type-name", Severity: Error,
		Doc:  "The name of a type stands where a value is needed.",
		Spec: "C99 6.5 Expressions"})
	Redefinition = newCode(Code{Name: "redefinition", Severity: Error,
		Doc:  "The same name is defined twice in one scope.",
		Spec: "C99 6.7 Declarations, paragraph 3",
		Bad:  "kernel void f(global int *p) {\n  int x = 1;\n  float x = 2;\n  p[0] = x;\n}\n",
		Good: "kernel void f(global int *p) {\n  int x = 1;\n  float y = 2;\n  p[0] = x + (int)y;\n}\n"})
	ConflictingTypes = newCode(Code{Name: "conflicting-types", Severity: Error,
		Doc:  "Two declarations of one function or variable disagree about its type.",
		Spec: "C99 6.7 Declarations, paragraph 4",
		Bad:  "int g(int x);\nint g(float x) { return 1; }\n",
		Good: "int g(int x);\nint g(int x) { return 1; }\n"})
	InvalidStorage = newCode(Code{Name: "invalid-storage-class", Severity: Error,
		Doc:  "A storage class or function specifier that this kind of declaration cannot have.",
		Spec: "OpenCL C 6.8 Storage-class specifiers",
		Bad:  "inline constant int x = 1;\n",
		Good: "constant int x = 1;\n"})
	UnsupportedType = newCode(Code{Name: "unsupported-type", Severity: Error,
		Doc:  "A type that C or another implementation has and OpenCL C on this device does not.",
		Spec: "OpenCL C 6.3 Supported data types",
		Bad:  "kernel void f(global int *p) {\n  long double x = 1;\n  p[0] = (int)x;\n}\n",
		Good: "kernel void f(global int *p) {\n  double x = 1;\n  p[0] = (int)x;\n}\n"})
	IncompleteType = newCode(Code{Name: "incomplete-type", Severity: Error,
		Doc:  "The size of the type is not known here: void, a struct that is only declared, or an array without a length.",
		Spec: "C99 6.2.5 Types",
		Bad:  "struct s;\nkernel void f(global int *p) {\n  struct s x;\n}\n",
		Good: "struct s { int a; };\nkernel void f(global int *p) {\n  struct s x = { 1 };\n  p[0] = x.a;\n}\n"})
	InvalidDeclarator = newCode(Code{Name: "invalid-declarator", Severity: Error,
		Doc:  "Variables of this type cannot be declared here.",
		Spec: "OpenCL C 6.3.3 Other built-in data types",
		Bad:  "constant event_t e = 0;\n",
		Good: "kernel void f(void) { event_t e = 0; }\n"})
	ObjectTooLarge = newCode(Code{Name: "object-too-large", Severity: Error,
		Doc:  "An object or type is larger than any memory object can be: 2 GiB for a variable, 1 TiB for a type.",
		Spec: "OpenCL API 4.2 Querying devices, CL_DEVICE_MAX_MEM_ALLOC_SIZE",
		Bad:  "kernel void f(global int *p) {\n  float16 a[1099511627776];\n}\n",
		Good: "kernel void f(global int *p) {\n  float16 a[16];\n  a[0] = 1;\n  p[0] = (int)a[0].x;\n}\n"})
	ArraySize = newCode(Code{Name: "array-size", Severity: Error,
		Doc:  "An array length must be an integer that is not negative.",
		Spec: "C99 6.7.5.2 Array declarators",
		Bad:  "kernel void f(global int *p) {\n  int a[-1];\n}\n",
		Good: "kernel void f(global int *p) {\n  int a[1] = { 2 };\n  p[0] = a[0];\n}\n"})
	VariableLengthArray = newCode(Code{Name: "variable-length-array", Severity: Error,
		Doc:  "The length of an array must be a constant: OpenCL C has no variable length arrays. Constants are literals, enumeration constants, and const or constant variables with constant initializers.",
		Spec: "OpenCL C 6.11 Restrictions, d",
		Bad:  "kernel void f(global int *p) {\n  int n = p[0];\n  int a[n];\n}\n",
		Good: "kernel void f(global int *p) {\n  const int n = 4;\n  int a[n];\n  a[0] = 1;\n  p[0] = a[0];\n}\n"})
	InvalidElement = newCode(Code{Name: "invalid-array-element", Severity: Error,
		Doc:  "There are no arrays of this type.",
		Spec: "OpenCL C 6.11 Restrictions",
		Bad:  "typedef sampler_t s;\nkernel void f(s a[2]) { }\n",
		Good: "kernel void f(sampler_t a, sampler_t b) { }\n"})
	InvalidPointee = newCode(Code{Name: "invalid-pointer-type", Severity: Error,
		Doc:  "There are no pointers to this type.",
		Spec: "OpenCL C 6.11 Restrictions, b",
		Bad:  "void f(image2d_t *p) { }\n",
		Good: "void f(read_only image2d_t p) { }\n"})
	FunctionPointer = newCode(Code{Name: "function-pointer", Severity: Error,
		Doc:  "OpenCL C has no pointers to functions: a function can only be called.",
		Spec: "OpenCL C 6.11 Restrictions, a",
		Bad:  "int (*g)(int);\n",
		Good: "int g(int);\n"})
	InvalidResult = newCode(Code{Name: "invalid-result-type", Severity: Error,
		Doc:  "A function cannot return a value of this type.",
		Spec: "C99 6.7.5.3 Function declarators",
		Bad:  "typedef int a[2];\na g(void);\n",
		Good: "typedef int2 a;\na g(void);\n"})
	VariadicFunction = newCode(Code{Name: "variadic-function", Severity: Error,
		Doc:  "Functions with \"...\" are not allowed: printf is the only function of that kind.",
		Spec: "OpenCL C 6.11 Restrictions, e",
		Bad:  "void g(int n, ...);\n",
		Good: "void g(int n);\n"})
	InvalidRestrict = newCode(Code{Name: "invalid-restrict", Severity: Error,
		Doc:  "restrict says something of a pointer; this is none.",
		Spec: "C99 6.7.3 Type qualifiers",
		Bad:  "void g(int restrict x) { }\n",
		Good: "void g(int *restrict x) { }\n"})
	MultipleSpaces = newCode(Code{Name: "multiple-address-spaces", Severity: Error,
		Doc:  "An object lives in one address space only.",
		Spec: "OpenCL C 6.7 Address space qualifiers",
		Bad:  "void g(global local int *p) { }\n",
		Good: "void g(global int *p) { }\n"})
	GenericVariable = newCode(Code{Name: "generic-variable", Severity: Error, Options: "-cl-std=CL2.0",
		Doc:  "generic qualifies what a pointer points to; an object itself has a place of its own.",
		Spec: "OpenCL C 6.7.5 The generic address space",
		Bad:  "kernel void f(global int *p) {\n  generic int x;\n}\n",
		Good: "kernel void f(global int *p) {\n  int x = 1;\n  generic int *q = &x;\n  p[0] = *q;\n}\n"})
	InvalidAccess = newCode(Code{Name: "invalid-access-qualifier", Severity: Error,
		Doc:  "read_only, write_only and read_write qualify images, and read_write needs OpenCL C 2.0.",
		Spec: "OpenCL C 6.6 Access qualifiers",
		Bad:  "kernel void f(read_only global int *p) { }\n",
		Good: "kernel void f(read_only image2d_t i) { }\n"})
	InvalidVectorType = newCode(Code{Name: "invalid-vector-type", Severity: Error,
		Doc:  "Vectors have 2, 3, 4, 8 or 16 components of a scalar type other than bool.",
		Spec: "OpenCL C 6.3.2 Built-in vector data types",
		Bad:  "typedef float v __attribute__((ext_vector_type(5)));\n",
		Good: "typedef float v __attribute__((ext_vector_type(4)));\n"})
	WrongTagKind = newCode(Code{Name: "wrong-tag-kind", Severity: Error,
		Doc:  "struct, union and enum tags share one name space: this tag is of another kind.",
		Spec: "C99 6.7.2.3 Tags",
		Bad:  "struct s { int a; };\nunion s;\n",
		Good: "struct s { int a; };\nunion u;\n"})
	DuplicateMember = newCode(Code{Name: "duplicate-member", Severity: Error,
		Doc:  "Two members of a struct or union have the same name.",
		Spec: "C99 6.7.2.1 Structure and union specifiers",
		Bad:  "struct s { int a; float a; };\n",
		Good: "struct s { int a; float b; };\n"})
	InvalidField = newCode(Code{Name: "invalid-member", Severity: Error,
		Doc:  "A struct or union cannot have a member of this type.",
		Spec: "OpenCL C 6.11 Restrictions",
		Bad:  "struct s { event_t e; };\n",
		Good: "struct s { int e; };\n"})
	InvalidBitField = newCode(Code{Name: "invalid-bit-field", Severity: Error,
		Doc:  "The type or width of a bit-field is not possible.",
		Spec: "C99 6.7.2.1 Structure and union specifiers, paragraph 4",
		Bad:  "#pragma OPENCL EXTENSION __cl_clang_bitfields : enable\nstruct s { int a : 33; };\n",
		Good: "#pragma OPENCL EXTENSION __cl_clang_bitfields : enable\nstruct s { int a : 3; };\n"})
	BitField = newCode(Code{Name: "bit-field", Severity: Error,
		Doc:  "OpenCL C has no bit-fields. The extension __cl_clang_bitfields, which must be enabled by a pragma, allows them.",
		Spec: "OpenCL C 6.11 Restrictions, c",
		Bad:  "struct s { int a : 3; };\n",
		Good: "#pragma OPENCL EXTENSION __cl_clang_bitfields : enable\nstruct s { int a : 3; };\n"})
	FlexibleExtension = newCode(Code{Name: "flexible-array-extensions", Severity: Warning, Off: true, Group: "pedantic", Options: "-Wflexible-array-extensions",
		Doc:  "Flexible array members have uses that C does not define and compilers accept.",
		Spec: "C99 6.7.2.1 Structure and union specifiers, paragraph 16",
		Bad:  "union u { int n; int a[]; };\n",
		Good: "union u { int n; int a[1]; };\n"})
	MissingDeclaration = newCode(Code{Name: "missing-declarations", Severity: Warning,
		Doc:  "A declaration declares nothing: a name is missing.",
		Spec: "C99 6.7 Declarations, paragraph 2",
		Bad:  "int;\n",
		Good: "struct s;\n"})
	NotConstant = newCode(Code{Name: "not-constant", Severity: Error,
		Doc:  "An integer constant expression is needed here: its value must be known before the program runs.",
		Spec: "C99 6.6 Constant expressions",
		Bad:  "kernel void f(global int *p) {\n  switch (p[0]) { case p[1]: p[0] = 1; }\n}\n",
		Good: "kernel void f(global int *p) {\n  switch (p[0]) { case 1: p[0] = 1; }\n}\n"})
	StaticAssertFailed = newCode(Code{Name: "static-assert-failed", Severity: Error,
		Doc:  "The condition of a _Static_assert is false.",
		Spec: "C11 6.7.10 Static assertions",
		Bad:  "_Static_assert(sizeof(float3) == 12, \"packed\");\n",
		Good: "_Static_assert(sizeof(float3) == 16, \"padded\");\n"})
	ParameterSpace = newCode(Code{Name: "parameter-address-space", Severity: Error,
		Doc:  "A parameter is private; only what it points to can be in another address space.",
		Spec: "OpenCL C 6.7 Address space qualifiers",
		Bad:  "void g(local int x) { }\n",
		Good: "void g(local int *x) { }\n"})
	InvalidAlignment = newCode(Code{Name: "invalid-alignment", Severity: Error,
		Doc:  "An alignment must be a power of two of at most 2^28 bytes.",
		Spec: "OpenCL C 6.13.1 Attributes of types",
		Bad:  "typedef int t __attribute__((aligned(3)));\n",
		Good: "typedef int t __attribute__((aligned(4)));\n"})
	ElementAlignment = newCode(Code{Name: "element-alignment", Severity: Error,
		Doc:  "The elements of an array follow each other without gaps, so that an element's size must be a multiple of its alignment. The type asks for a greater alignment by an attribute; use a struct with that alignment, whose size is a multiple of it.",
		Spec: "OpenCL C 6.13.1 Attributes of types",
		Bad:  "typedef int t __attribute__((aligned(16)));\nconstant t a[2] = {1, 2};\n",
		Good: "typedef struct { int x; } __attribute__((aligned(16))) t;\nconstant t a[2] = {{1}, {2}};\n"})
	AttributeArguments = newCode(Code{Name: "attribute-arguments", Severity: Error,
		Doc:  "An attribute has too few, too many or wrong arguments.",
		Spec: "OpenCL C 6.13 Attribute qualifiers",
		Bad:  "__attribute__((reqd_work_group_size(8, 8))) kernel void f(void) { }\n",
		Good: "__attribute__((reqd_work_group_size(8, 8, 1))) kernel void f(void) { }\n"})
	UnknownAttributes = newCode(Code{Name: "unknown-attributes", Severity: Warning,
		Doc:  "An attribute that is not known is ignored.",
		Spec: "OpenCL C 6.13 Attribute qualifiers",
		Bad:  "__attribute__((sparkling)) kernel void f(void) { }\n",
		Good: "kernel void f(void) { }\n"})
	IgnoredAttributes = newCode(Code{Name: "ignored-attributes", Severity: Warning,
		Doc:  "An attribute has no meaning at this place.",
		Spec: "OpenCL C 6.13 Attribute qualifiers",
		Bad:  "__attribute__((opencl_unroll_hint)) void g(void) { }\n",
		Good: "void g(void) {\n  __attribute__((opencl_unroll_hint)) for (int i = 0; i < 4; i++) { }\n}\n"})
	IgnoredPragmas = newCode(Code{Name: "ignored-pragmas", Severity: Warning,
		Doc:  "An OPENCL pragma is malformed or names an extension that this device does not have.",
		Spec: "OpenCL C 6.2.1 Compiler directives for optional extensions",
		Bad:  "#pragma OPENCL EXTENSION cl_khr_fp16 : maybe\n",
		Good: "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"})
	CoreExtension = newCode(Code{Name: "pedantic-core-features", Severity: Warning, Off: true, Group: "pedantic", Options: "-Wpedantic-core-features",
		Doc:  "An extension became part of the language; enabling it does nothing.",
		Spec: "OpenCL C 6.2.1 Compiler directives for optional extensions",
		Bad:  "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
		Good: "double g(double x);\n"})

	// Address spaces and kernels.

	ProgramScopeSpace = newCode(Code{Name: "program-scope-space", Severity: Error,
		Doc:  "A variable outside any function must be constant; OpenCL C 2.0 and 3.0 also have global ones.",
		Spec: "OpenCL C 6.7.1 The __global address space",
		Bad:  "int x = 1;\n",
		Good: "constant int x = 1;\n"})
	ConstantUninitialized = newCode(Code{Name: "constant-uninitialized", Severity: Error,
		Doc:  "A constant variable needs an initializer: nothing can give it a value later.",
		Spec: "OpenCL C 6.7.3 The __constant address space",
		Bad:  "constant int x;\n",
		Good: "constant int x = 1;\n"})
	StaticVariable = newCode(Code{Name: "static-variable", Severity: Error,
		Doc:  "Before OpenCL C 2.0 a variable in a function cannot be static.",
		Spec: "OpenCL C 6.8 Storage-class specifiers",
		Bad:  "kernel void f(global int *p) {\n  static int n = 0;\n}\n",
		Good: "kernel void f(global int *p) {\n  int n = 0;\n  p[0] = n;\n}\n"})
	LocalScope = newCode(Code{Name: "local-scope", Severity: Error,
		Doc:  "A local variable belongs to a work-group: it is declared in the outermost block of a kernel, or passed on as a pointer.",
		Spec: "OpenCL C 6.7.2 The __local address space",
		Bad:  "kernel void f(global int *p) {\n  if (p[0]) {\n    local int x;\n    x = 1;\n  }\n}\n",
		Good: "kernel void f(global int *p) {\n  local int x;\n  if (p[0])\n    x = 1;\n}\n"})
	LocalInitializer = newCode(Code{Name: "local-initializer", Severity: Error,
		Doc:  "A local variable is shared by a work-group, so no work-item initializes it: assign to it, then use a barrier.",
		Spec: "OpenCL C 6.7.2 The __local address space",
		Bad:  "kernel void f(global int *p) {\n  local int x = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  local int x;\n  x = 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  p[0] = x;\n}\n"})
	GlobalInFunction = newCode(Code{Name: "global-in-function", Severity: Error,
		Doc:  "A variable in a function cannot be placed in global memory.",
		Spec: "OpenCL C 6.7.1 The __global address space",
		Bad:  "kernel void f(global int *p) {\n  global int x;\n}\n",
		Good: "kernel void f(global int *p) {\n  global int *x = p;\n  x[0] = 1;\n}\n"})
	ImageVariable = newCode(Code{Name: "image-variable", Severity: Error,
		Doc:  "Images exist as function parameters only.",
		Spec: "OpenCL C 6.11 Restrictions, b",
		Bad:  "kernel void f(read_only image2d_t i) {\n  image2d_t j;\n}\n",
		Good: "void g(read_only image2d_t j) { }\nkernel void f(read_only image2d_t i) {\n  g(i);\n}\n"})
	InvalidKernel = newCode(Code{Name: "invalid-kernel", Severity: Error,
		Doc:  "The kernel qualifier stands where it has no meaning, or with something that excludes it.",
		Spec: "OpenCL C 6.9 Function qualifiers",
		Bad:  "static kernel void f(void) { }\n",
		Good: "kernel void f(void) { }\n"})
	KernelResult = newCode(Code{Name: "kernel-result", Severity: Error,
		Doc:  "A kernel returns nothing: results go to memory.",
		Spec: "OpenCL C 6.9.1 Kernel functions",
		Bad:  "kernel int f(void) { return 1; }\n",
		Good: "kernel void f(global int *result) { *result = 1; }\n"})
	KernelParamType = newCode(Code{Name: "kernel-parameter-type", Severity: Error,
		Doc:  "A kernel cannot take an argument of this type: its size is not the same for host and device, or the host has no such value.",
		Spec: "OpenCL C 6.11 Restrictions, k",
		Bad:  "kernel void f(size_t n) { }\n",
		Good: "kernel void f(ulong n) { }\n"})
	KernelPointerSpace = newCode(Code{Name: "kernel-pointer-space", Severity: Error,
		Doc:  "What a kernel argument points to is in global, local or constant memory; private memory is each work-item's own.",
		Spec: "OpenCL C 6.11 Restrictions, a",
		Bad:  "kernel void f(int *p) { }\n",
		Good: "kernel void f(global int *p) { }\n"})
	AddressSpace = newCode(Code{Name: "address-space", Severity: Error,
		Doc:  "Pointers to different address spaces do not convert to each other; only from and to generic, where there is one.",
		Spec: "OpenCL C 6.7 Address space qualifiers",
		Bad:  "kernel void f(global int *p) {\n  int *q = p;\n  q[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  global int *q = p;\n  q[0] = 1;\n}\n"})
	Recursion = newCode(Code{Name: "recursion", Severity: Error,
		Doc:  "A function calls itself, directly or through others. OpenCL C has no recursion.",
		Spec: "OpenCL C 6.11 Restrictions, i",
		Bad:  "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }\n",
		Good: "int fact(int n) {\n  int r = 1;\n  for (; n > 1; n--)\n    r *= n;\n  return r;\n}\n"})
	UndefinedFunction = newCode(Code{Name: "undefined-function", Severity: Warning, Off: true, Options: "-Wundefined-function",
		Doc:  "A function is called that this program only declares: it must come from another program when they are linked.",
		Spec: "OpenCL API 5.8.3 Linking program binaries",
		Bad:  "int g(int x);\nkernel void f(global int *p) { p[0] = g(1); }\n",
		Good: "int g(int x) { return x; }\nkernel void f(global int *p) { p[0] = g(1); }\n"})
	HalfDeclaration = newCode(Code{Name: "half-declaration", Severity: Error,
		Doc:  "Without the extension cl_khr_fp16, half is a type of data in memory only.",
		Spec: "OpenCL C 6.3.1.1 The half data type",
		Bad:  "kernel void f(global int *p) {\n  half h = 1;\n}\n",
		Good: "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void f(global int *p) {\n  half h = 1;\n  p[0] = (int)h;\n}\n"})
	HalfLiteral = newCode(Code{Name: "half-literal", Severity: Error,
		Doc:  "The suffix h makes a constant of type half, which the extension cl_khr_fp16 brings.",
		Spec: "OpenCL C 6.3.1.1 The half data type",
		Bad:  "kernel void f(global int *p) {\n  p[0] = 1.0h > 0;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1.0f > 0;\n}\n"})
	HalfAccess = newCode(Code{Name: "half-access", Severity: Error,
		Doc:  "Without the extension cl_khr_fp16, half values are read with vload_half and written with vstore_half.",
		Spec: "OpenCL C 6.3.1.1 The half data type",
		Bad:  "kernel void f(global half *p, global float *q) {\n  q[0] = p[0];\n}\n",
		Good: "kernel void f(global half *p, global float *q) {\n  q[0] = vload_half(0, p);\n}\n"})
	SamplerConstant = newCode(Code{Name: "sampler-constant", Severity: Error,
		Doc:  "A sampler in a program is initialized with a constant; other samplers are kernel arguments.",
		Spec: "OpenCL C 6.15.15.1 Samplers",
		Bad:  "kernel void f(global int *p) {\n  sampler_t s = p[0];\n}\n",
		Good: "kernel void f(global int *p) {\n  const sampler_t s = CLK_FILTER_NEAREST;\n}\n"})

	// Conversions.

	IncompatibleTypes = newCode(Code{Name: "incompatible-types", Severity: Error,
		Doc:  "The value's type does not convert to the type that is needed here. Between vector types nothing converts by itself: use convert_T or as_T.",
		Spec: "OpenCL C 6.4.1 Implicit conversions",
		Bad:  "kernel void f(global int *p) {\n  float4 f = 1;\n  int4 i = f;\n  p[0] = i.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 f = 1;\n  int4 i = convert_int4(f);\n  p[0] = i.x;\n}\n"})
	IntConversion = newCode(Code{Name: "int-conversion", Severity: Error,
		Doc:  "A pointer is used as an integer or an integer as a pointer without a cast.",
		Spec: "C99 6.5.16.1 Simple assignment",
		Bad:  "kernel void f(global int *p) {\n  int x = p;\n}\n",
		Good: "kernel void f(global int *p) {\n  ulong x = (ulong)p;\n  p[0] = (int)x;\n}\n"})
	IncompatiblePointers = newCode(Code{Name: "incompatible-pointer-types", Severity: Warning,
		Doc:  "A pointer is used as a pointer to another type.",
		Spec: "C99 6.5.16.1 Simple assignment",
		Bad:  "kernel void f(global int *p) {\n  global float *q = p;\n  q[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  global float *q = (global float *)p;\n  q[0] = 1;\n}\n"})
	PointerSign = newCode(Code{Name: "pointer-sign", Severity: Warning,
		Doc:  "A pointer to signed integers is used as one to unsigned ones, or the reverse.",
		Spec: "C99 6.5.16.1 Simple assignment",
		Bad:  "kernel void f(global int *p) {\n  global uint *q = p;\n  q[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  global uint *q = (global uint *)p;\n  q[0] = 1;\n}\n"})
	DiscardsQualifiers = newCode(Code{Name: "incompatible-pointer-types-discards-qualifiers", Severity: Warning,
		Doc:  "A pointer to const or volatile data is used as one to data that is not.",
		Spec: "C99 6.5.16.1 Simple assignment",
		Bad:  "kernel void f(global const int *p) {\n  global int *q = p;\n  q[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  global int *q = p;\n  q[0] = 1;\n}\n"})
	PointerTypeMismatch = newCode(Code{Name: "pointer-type-mismatch", Severity: Warning,
		Doc:  "The two results of ?: are pointers to different types.",
		Spec: "C99 6.5.15 Conditional operator",
		Bad:  "kernel void f(global int *p, global float *q) {\n  global void *r = p[0] ? p : q;\n}\n",
		Good: "kernel void f(global int *p, global float *q) {\n  global void *r = p[0] ? (global void *)p : (global void *)q;\n}\n"})
	PointerToInt = newCode(Code{Name: "pointer-to-int-cast", Severity: Warning,
		Doc:  "A pointer has 64 bits; the integer type has fewer.",
		Spec: "C99 6.3.2.3 Pointers",
		Bad:  "kernel void f(global int *p) {\n  p[0] = (int)p;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = (int)(long)p;\n}\n"})
	InvalidCast = newCode(Code{Name: "invalid-cast", Severity: Error,
		Doc:  "There is no cast between these types.",
		Spec: "OpenCL C 6.4.2 Explicit casts",
		Bad:  "kernel void f(global int *p) {\n  float4 v = 1;\n  p[0] = (int)v;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 v = 1;\n  p[0] = (int)v.x;\n}\n"})
	VectorCast = newCode(Code{Name: "vector-cast", Severity: Error,
		Doc:  "A cast does not convert between vector types: convert_T converts values, as_T keeps the bits.",
		Spec: "OpenCL C 6.4.2 Explicit casts",
		Bad:  "kernel void f(global int *p) {\n  float4 v = 1;\n  int4 i = (int4)v;\n  p[0] = i.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 v = 1;\n  int4 i = convert_int4(v);\n  p[0] = i.x;\n}\n"})
	InvalidConversion = newCode(Code{Name: "invalid-conversion", Severity: Error,
		Doc:  "There is no conversion function of this name. The name is convert_, a type, then _sat (integer types only), then _rte, _rtz, _rtp or _rtn.",
		Spec: "OpenCL C 6.4.3 Explicit conversions",
		Bad:  "kernel void f(global int *p) {\n  float4 f = convert_float4_sat((int4)(p[0]));\n  p[0] = (int)f.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 f = convert_float4((int4)(p[0]));\n  p[0] = (int)f.x;\n}\n"})
	ConversionCount = newCode(Code{Name: "conversion-element-count", Severity: Error,
		Doc:  "A conversion keeps the number of elements.",
		Spec: "OpenCL C 6.4.3 Explicit conversions",
		Bad:  "kernel void f(global int *p) {\n  float2 f = 1;\n  int4 i = convert_int4(f);\n  p[0] = i.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float2 f = 1;\n  int2 i = convert_int2(f);\n  p[0] = i.x;\n}\n"})
	InvalidReinterpretation = newCode(Code{Name: "invalid-reinterpretation", Severity: Error,
		Doc:  "as_T works on numbers and vectors of numbers, not on bool, pointers or structs.",
		Spec: "OpenCL C 6.4.4 Reinterpreting data as another type",
		Bad:  "kernel void f(global int *p) {\n  p[0] = as_int(p);\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = as_int(1.0f);\n}\n"})
	ReinterpretationSize = newCode(Code{Name: "reinterpretation-size", Severity: Error,
		Doc:  "as_T keeps the bits, so both types must have the same number of bytes. A 3-component vector has no bits for a fourth component of its own type.",
		Spec: "OpenCL C 6.4.4 Reinterpreting data as another type",
		Bad:  "kernel void f(global int *p) {\n  float4 f = 1;\n  double4 g = as_double4(f);\n  p[0] = (int)g.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 f = 1;\n  double4 g = convert_double4(f);\n  p[0] = (int)g.x;\n}\n"})
	ImplementationDefined = newCode(Code{Name: "implementation-defined-conversion", Severity: Warning,
		Doc:  "The standard leaves the result to the implementation. PureCL defines it: as_T with another number of elements keeps the bytes in memory order; a float out of an integer type's range converts as x86 hardware does.",
		Spec: "OpenCL C 6.4.3.3 Out-of-range behavior and saturated conversions",
		Bad:  "kernel void f(global int *p) {\n  p[0] = (int)3e9f;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = convert_int_sat(3e9f);\n}\n"})
	ConstantConversion = newCode(Code{Name: "constant-conversion", Severity: Warning,
		Doc:  "A constant does not fit the type that it is converted to.",
		Spec: "C99 6.3.1.3 Signed and unsigned integers",
		Bad:  "kernel void f(global int *p) {\n  char c = 300;\n  p[0] = c;\n}\n",
		Good: "kernel void f(global int *p) {\n  short c = 300;\n  p[0] = c;\n}\n"})
	LiteralConversion = newCode(Code{Name: "literal-conversion", Severity: Warning,
		Doc:  "A floating constant loses its fraction when it becomes an integer.",
		Spec: "C99 6.3.1.4 Real floating and integer",
		Bad:  "kernel void f(global int *p) {\n  p[0] = 1.5f;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = (int)1.5f;\n}\n"})
	RvalueArray = newCode(Code{Name: "rvalue-array", Severity: Error,
		Doc:  "An array inside a value that is no object, such as a function's result, has no address: store the value in a variable first.",
		Spec: "C99 6.3.2.1 Lvalues, arrays, and function designators",
		Bad:  "struct s { int a[2]; };\nstruct s g(void) { struct s x = { { 1, 2 } }; return x; }\nkernel void f(global int *p) { p[0] = g().a[1]; }\n",
		Good: "struct s { int a[2]; };\nstruct s g(void) { struct s x = { { 1, 2 } }; return x; }\nkernel void f(global int *p) { struct s x = g(); p[0] = x.a[1]; }\n"})

	// Vectors.

	VectorElementCount = newCode(Code{Name: "vector-element-count", Severity: Error,
		Doc:  "A vector literal must give every component exactly once, or a single scalar for all.",
		Spec: "OpenCL C 6.3.6 Vector literals",
		Bad:  "kernel void f(global int *p) {\n  float4 v = (float4)(1.0f, 2.0f);\n  p[0] = (int)v.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 v = (float4)(1.0f, 2.0f, 3.0f, 4.0f);\n  p[0] = (int)v.x;\n}\n"})
	VectorComponent = newCode(Code{Name: "vector-component", Severity: Error,
		Doc:  "This is no component of a vector: components are .xyzw, .rgba, .s0 to .sF, .lo, .hi, .even and .odd.",
		Spec: "OpenCL C 6.3.7 Vector components",
		Bad:  "kernel void f(global int *p) {\n  float4 v = 1;\n  p[0] = (int)v.q;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 v = 1;\n  p[0] = (int)v.w;\n}\n"})
	VectorComponentMix = newCode(Code{Name: "vector-component-mix", Severity: Error,
		Doc:  "One selection uses one set of names: .xyzw, .rgba or numeric indices.",
		Spec: "OpenCL C 6.3.7 Vector components",
		Bad:  "kernel void f(global int *p) {\n  float4 v = 1;\n  float2 w = v.xs1;\n  p[0] = (int)w.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 v = 1;\n  float2 w = v.s01;\n  p[0] = (int)w.x;\n}\n"})
	VectorComponentRange = newCode(Code{Name: "vector-component-range", Severity: Error,
		Doc:  "The vector has fewer components than this.",
		Spec: "OpenCL C 6.3.7 Vector components",
		Bad:  "kernel void f(global int *p) {\n  float2 v = 1;\n  v.z = 1;\n  p[0] = (int)v.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float3 v = 1;\n  v.z = 1;\n  p[0] = (int)v.x;\n}\n"})
	DuplicateComponents = newCode(Code{Name: "duplicate-components", Severity: Error,
		Doc:  "A selection that is assigned to may name each component once.",
		Spec: "OpenCL C 6.3.7 Vector components",
		Bad:  "kernel void f(global int *p) {\n  float4 v = 1;\n  v.xx = (float2)(1, 2);\n  p[0] = (int)v.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 v = 1;\n  v.xy = (float2)(1, 2);\n  p[0] = (int)v.x;\n}\n"})
	RGBA = newCode(Code{Name: "opencl-unsupported-rgba", Severity: Warning,
		Doc:  "The component names .rgba are part of OpenCL C 3.0.",
		Spec: "OpenCL C 6.3.7 Vector components",
		Bad:  "kernel void f(global int *p) {\n  float4 v = 1;\n  p[0] = (int)v.r;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 v = 1;\n  p[0] = (int)v.x;\n}\n"})
	VectorMismatch = newCode(Code{Name: "vector-operands", Severity: Error,
		Doc:  "The operands of an operator are vectors of different types, or one is no number.",
		Spec: "OpenCL C 6.4.6 Usual arithmetic conversions",
		Bad:  "kernel void f(global int *p) {\n  float4 f = 1;\n  int4 i = 2;\n  f = f + i;\n  p[0] = (int)f.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 f = 1;\n  int4 i = 2;\n  f = f + convert_float4(i);\n  p[0] = (int)f.x;\n}\n"})
	ScalarRank = newCode(Code{Name: "scalar-rank", Severity: Error,
		Doc:  "A scalar next to a vector becomes a vector of the same element type, so its type must not be greater than that.",
		Spec: "OpenCL C 6.4.6 Usual arithmetic conversions",
		Bad:  "kernel void f(global int *p) {\n  float4 f = 1;\n  f = f * 2.0;\n  p[0] = (int)f.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 f = 1;\n  f = f * 2.0f;\n  p[0] = (int)f.x;\n}\n"})
	VectorSelect = newCode(Code{Name: "vector-select", Severity: Error,
		Doc:  "With a vector condition ?: selects by component, so all operands have the same number of elements, of the same size.",
		Spec: "OpenCL C 6.5.10 Ternary selection operator",
		Bad:  "kernel void f(global int *p) {\n  double4 d = 1;\n  int4 c = 1;\n  d = c ? d : -d;\n  p[0] = (int)d.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  double4 d = 1;\n  long4 c = 1;\n  d = c ? d : -d;\n  p[0] = (int)d.x;\n}\n"})

	// Expressions.

	InvalidOperands = newCode(Code{Name: "invalid-operands", Severity: Error,
		Doc:  "The operator is not defined for operands of these types.",
		Spec: "OpenCL C 6.5 Operators",
		Bad:  "kernel void f(global int *p) {\n  float x = 1;\n  p[0] = (int)(x % 2);\n}\n",
		Good: "kernel void f(global int *p) {\n  float x = 1;\n  p[0] = (int)fmod(x, 2);\n}\n"})
	InvalidOperand = newCode(Code{Name: "invalid-operand", Severity: Error,
		Doc:  "The operator is not defined for an operand of this type.",
		Spec: "OpenCL C 6.5 Operators",
		Bad:  "kernel void f(global int *p) {\n  float x = 1;\n  p[0] = ~x;\n}\n",
		Good: "kernel void f(global int *p) {\n  int x = 1;\n  p[0] = ~x;\n}\n"})
	NotAssignable = newCode(Code{Name: "not-assignable", Severity: Error,
		Doc:  "Only an object can be assigned to: a variable, what a pointer points to, a member, components of a vector.",
		Spec: "C99 6.5.16 Assignment operators",
		Bad:  "kernel void f(global int *p) {\n  p[0] + 1 = 2;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 2;\n}\n"})
	ConstAssigned = newCode(Code{Name: "const-assigned", Severity: Error,
		Doc:  "What is const or in constant memory cannot change.",
		Spec: "OpenCL C 6.7.3 The __constant address space",
		Bad:  "kernel void f(global const int *p) {\n  p[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1;\n}\n"})
	AddressOf = newCode(Code{Name: "address-of", Severity: Error,
		Doc:  "This has no address: a value, a component of a vector, a bit-field.",
		Spec: "OpenCL C 6.5.11 Unary operators",
		Bad:  "kernel void f(global int *p) {\n  float4 v = 1;\n  float *q = &v.x;\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 v = 1;\n  float4 *q = &v;\n  p[0] = (int)q->x;\n}\n"})
	Subscript = newCode(Code{Name: "subscript", Severity: Error,
		Doc:  "[ ] takes an array, a pointer or a vector, and an integer.",
		Spec: "C99 6.5.2.1 Array subscripting",
		Bad:  "kernel void f(global int *p) {\n  p[1.0f] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[1] = 1;\n}\n"})
	MemberAccess = newCode(Code{Name: "member-access", Severity: Error,
		Doc:  ". takes a struct, a union or a vector, -> a pointer to one.",
		Spec: "C99 6.5.2.3 Structure and union members",
		Bad:  "kernel void f(global int *p) {\n  p.x = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1;\n}\n"})
	NoMember = newCode(Code{Name: "no-member", Severity: Error,
		Doc:  "The struct or union has no member of this name.",
		Spec: "C99 6.5.2.3 Structure and union members",
		Bad:  "struct s { int width; };\nint g(struct s x) { return x.widht; }\n",
		Good: "struct s { int width; };\nint g(struct s x) { return x.width; }\n"})
	NotCallable = newCode(Code{Name: "not-callable", Severity: Error,
		Doc:  "Only functions can be called.",
		Spec: "C99 6.5.2.2 Function calls",
		Bad:  "kernel void f(global int *p) {\n  int x = 1;\n  p[0] = x(2);\n}\n",
		Good: "kernel void f(global int *p) {\n  int x = 1;\n  p[0] = x * 2;\n}\n"})
	ArgumentCount = newCode(Code{Name: "argument-count", Severity: Error,
		Doc:  "A call passes more or fewer arguments than the function has parameters.",
		Spec: "C99 6.5.2.2 Function calls",
		Bad:  "int g(int a, int b) { return a + b; }\nkernel void f(global int *p) { p[0] = g(1); }\n",
		Good: "int g(int a, int b) { return a + b; }\nkernel void f(global int *p) { p[0] = g(1, 2); }\n"})
	NoMatchingFunction = newCode(Code{Name: "no-matching-function", Severity: Error,
		Doc:  "No overload of the function takes arguments of these types.",
		Spec: "OpenCL C 6.15 Built-in functions",
		Bad:  "kernel void f(global int *p) {\n  float4 a = 1;\n  float2 b = 1;\n  p[0] = (int)dot(a, b);\n}\n",
		Good: "kernel void f(global int *p) {\n  float4 a = 1;\n  float4 b = 1;\n  p[0] = (int)dot(a, b);\n}\n"})
	AmbiguousCall = newCode(Code{Name: "ambiguous-call", Severity: Error,
		Doc:  "Several overloads of the function fit equally well: cast the arguments so that one fits best.",
		Spec: "OpenCL C 6.15 Built-in functions",
		Bad:  "kernel void f(global int *p) {\n  p[0] = (int)sqrt(p[1]);\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = (int)sqrt((float)p[1]);\n}\n"})
	InvalidSizeof = newCode(Code{Name: "invalid-sizeof", Severity: Error,
		Doc:  "sizeof, alignof, vec_step or offsetof of something that has no size or place.",
		Spec: "C99 6.5.3.4 The sizeof operator",
		Bad:  "kernel void f(global int *p) {\n  p[0] = sizeof(void);\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = sizeof(int);\n}\n"})
	InvalidNumber = newCode(Code{Name: "invalid-number", Severity: Error,
		Doc:  "A number is not written as OpenCL C wants it, or has no value in any type.",
		Spec: "C99 6.4.4 Constants",
		Bad:  "kernel void f(global int *p) {\n  p[0] = 08;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 8;\n}\n"})
	ImplicitlyUnsigned = newCode(Code{Name: "implicitly-unsigned-constant", Severity: Warning,
		Doc:  "A decimal constant without suffix is too large for long and is taken as ulong.",
		Spec: "C99 6.4.4.1 Integer constants",
		Bad:  "kernel void f(global int *p) {\n  p[0] = 18446744073709551615 > 0;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 18446744073709551615u > 0;\n}\n"})
	LiteralRange = newCode(Code{Name: "literal-range", Severity: Warning,
		Doc:  "A floating constant is too large, or too small, for its type.",
		Spec: "C99 6.4.4.2 Floating constants",
		Bad:  "constant float x = 1e50f;\n",
		Good: "constant float x = 1e5f;\n"})
	DoubleLiteral = newCode(Code{Name: "double-literal", Severity: Warning, Options: "-cl-std=CL1.2 -cl-ext=-cl_khr_fp64",
		Doc:  "A floating constant without suffix is a double, which the build options have switched off: it is taken as a float. Write the suffix f.",
		Spec: "OpenCL C 6.4.3 Explicit conversions",
		Bad:  "kernel void f(global float *p) {\n  p[0] = 1.5;\n}\n",
		Good: "kernel void f(global float *p) {\n  p[0] = 1.5f;\n}\n"})
	WideString = newCode(Code{Name: "wide-string", Severity: Error,
		Doc:  "OpenCL C has no wide strings.",
		Spec: "OpenCL C 6.11 Restrictions",
		Bad:  "kernel void f(global int *p) {\n  printf(L\"x\");\n}\n",
		Good: "kernel void f(global int *p) {\n  printf(\"x\");\n}\n"})
	DivisionByZero = newCode(Code{Name: "division-by-zero", Severity: Warning,
		Doc:  "An integer is divided by zero: by a constant 0, or, in a launch with checks, by a value that is 0. The standard leaves the result open; it is 0 here.",
		Spec: "OpenCL C 6.5.1 Arithmetic operators",
		Bad:  "kernel void f(global int *p) {\n  p[0] = p[1] / 0;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = p[1] / 2;\n}\n"})
	IntegerOverflow = newCode(Code{Name: "integer-overflow", Severity: Warning,
		Doc:  "A signed constant operation does not fit its type; the result wraps around.",
		Spec: "C99 6.5 Expressions, paragraph 5",
		Bad:  "kernel void f(global int *p) {\n  p[0] = 2147483647 + 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = (int)(2147483647u + 1);\n}\n"})
	ShiftCount = newCode(Code{Name: "shift-count", Severity: Warning,
		Doc:  "A shift by a negative count or by at least the width; OpenCL C takes the count modulo the width.",
		Spec: "OpenCL C 6.5.9 Shift operators",
		Bad:  "kernel void f(global int *p) {\n  p[0] = p[1] << 32;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = p[1] << 31;\n}\n"})
	PointerArith = newCode(Code{Name: "gnu-pointer-arith", Severity: Warning, Off: true, Group: "pedantic", Options: "-Wgnu-pointer-arith",
		Doc:  "Arithmetic on a pointer to void counts bytes, a GNU extension.",
		Spec: "C99 6.5.6 Additive operators",
		Bad:  "kernel void f(global void *p) {\n  global void *q = p + 1;\n}\n",
		Good: "kernel void f(global char *p) {\n  global char *q = p + 1;\n}\n"})
	VoidDereference = newCode(Code{Name: "void-ptr-dereference", Severity: Warning,
		Doc:  "A pointer to void points to nothing that has a value.",
		Spec: "C99 6.5.3.2 Address and indirection operators",
		Bad:  "kernel void f(global void *p) {\n  *p;\n}\n",
		Good: "kernel void f(global int *p) {\n  *p = 1;\n}\n"})
	DistinctPointers = newCode(Code{Name: "compare-distinct-pointer-types", Severity: Warning,
		Doc:  "Pointers to different types are compared.",
		Spec: "C99 6.5.9 Equality operators",
		Bad:  "kernel void f(global int *p, global float *q) {\n  if (p == q)\n    p[0] = 1;\n}\n",
		Good: "kernel void f(global int *p, global float *q) {\n  if (p == (global int *)q)\n    p[0] = 1;\n}\n"})
	PointerInteger = newCode(Code{Name: "pointer-integer-compare", Severity: Warning,
		Doc:  "A pointer is compared with an integer other than 0.",
		Spec: "C99 6.5.9 Equality operators",
		Bad:  "kernel void f(global int *p) {\n  if (p == 1)\n    p[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  if (p == 0)\n    p[0] = 1;\n}\n"})
	ArrayBounds = newCode(Code{Name: "array-bounds", Severity: Warning,
		Doc:  "A constant subscript is outside the array.",
		Spec: "C99 6.5.6 Additive operators, paragraph 8",
		Bad:  "kernel void f(global int *p) {\n  int a[2] = { 1, 2 };\n  p[0] = a[2];\n}\n",
		Good: "kernel void f(global int *p) {\n  int a[2] = { 1, 2 };\n  p[0] = a[1];\n}\n"})
	SelfAssign = newCode(Code{Name: "self-assign", Severity: Warning,
		Doc:  "A variable is assigned to itself.",
		Spec: "C99 6.5.16 Assignment operators",
		Bad:  "kernel void f(global int *p) {\n  int x = p[0];\n  x = x;\n  p[1] = x;\n}\n",
		Good: "kernel void f(global int *p) {\n  int x = p[0];\n  p[1] = x;\n}\n"})
	Parentheses = newCode(Code{Name: "parentheses", Severity: Warning,
		Doc:  "An assignment is used as a condition; == was probably meant.",
		Spec: "C99 6.8.4 Selection statements",
		Bad:  "kernel void f(global int *p) {\n  int x = 1;\n  if (x = p[0])\n    p[0] = x;\n}\n",
		Good: "kernel void f(global int *p) {\n  int x = 1;\n  if (x == p[0])\n    p[0] = x;\n}\n"})
	SignCompare = newCode(Code{Name: "sign-compare", Severity: Warning, Off: true, Group: "extra", Options: "-Wsign-compare",
		Doc:  "A signed operand is converted to unsigned for a comparison, so that a negative number counts as a large one.",
		Spec: "C99 6.3.1.8 Usual arithmetic conversions",
		Bad:  "kernel void f(global int *p) {\n  uint n = 3;\n  if (p[0] < n)\n    p[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  int n = 3;\n  if (p[0] < n)\n    p[0] = 1;\n}\n"})
	TautologicalCompare = newCode(Code{Name: "tautological-unsigned-zero-compare", Severity: Warning, Off: true, Group: "extra", Options: "-Wtautological-unsigned-zero-compare",
		Doc:  "An unsigned number is never less than 0.",
		Spec: "C99 6.5.8 Relational operators",
		Bad:  "kernel void f(global int *p) {\n  uint n = p[0];\n  if (n >= 0)\n    p[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  uint n = p[0];\n  if (n > 0)\n    p[0] = 1;\n}\n"})
	Format = newCode(Code{Name: "format", Severity: Warning,
		Doc:  "A conversion in a printf format string does not fit its argument.",
		Spec: "OpenCL C 6.15.14.2 printf format string",
		Bad:  "kernel void f(global int *p) {\n  printf(\"%f\", p[0]);\n}\n",
		Good: "kernel void f(global int *p) {\n  printf(\"%d\", p[0]);\n}\n"})
	FormatArgs = newCode(Code{Name: "format-args", Severity: Warning,
		Doc:  "printf has more conversions than arguments, or fewer.",
		Spec: "OpenCL C 6.15.14.2 printf format string",
		Bad:  "kernel void f(global int *p) {\n  printf(\"%d %d\", p[0]);\n}\n",
		Good: "kernel void f(global int *p) {\n  printf(\"%d\", p[0]);\n}\n"})

	// Initializers.

	InvalidInitializer = newCode(Code{Name: "invalid-initializer", Severity: Error,
		Doc:  "The initializer has a form that this object cannot have.",
		Spec: "C99 6.7.8 Initialization",
		Bad:  "kernel void f(global int *p) {\n  int a[2] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  int a[2] = { 1 };\n  p[0] = a[0];\n}\n"})
	InitializerNotConstant = newCode(Code{Name: "initializer-not-constant", Severity: Error,
		Doc:  "A variable outside functions, or in constant memory, is initialized before the program runs: with constants and addresses only.",
		Spec: "C99 6.6 Constant expressions",
		Bad:  "kernel void f(global int *p) {\n  constant int x = p[0];\n}\n",
		Good: "kernel void f(global int *p) {\n  constant int x = 1;\n  p[0] = x;\n}\n"})
	ExcessInitializers = newCode(Code{Name: "excess-initializers", Severity: Warning,
		Doc:  "There are more initializers than elements; the rest is ignored.",
		Spec: "C99 6.7.8 Initialization, paragraph 2",
		Bad:  "kernel void f(global int *p) {\n  int a[1] = { 1, 2 };\n  p[0] = a[0];\n}\n",
		Good: "kernel void f(global int *p) {\n  int a[2] = { 1, 2 };\n  p[0] = a[0];\n}\n"})
	InitializerOverrides = newCode(Code{Name: "initializer-overrides", Severity: Warning, Off: true, Group: "extra", Options: "-Winitializer-overrides",
		Doc:  "A later designator initializes an element again.",
		Spec: "C99 6.7.8 Initialization, paragraph 19",
		Bad:  "kernel void f(global int *p) {\n  int a[2] = { 1, [0] = 2 };\n  p[0] = a[0];\n}\n",
		Good: "kernel void f(global int *p) {\n  int a[2] = { [0] = 2 };\n  p[0] = a[0];\n}\n"})

	// Statements.

	ConditionType = newCode(Code{Name: "condition-type", Severity: Error,
		Doc:  "if, while, do, for and switch decide on a scalar. any() and all() reduce a vector to one.",
		Spec: "C99 6.8.4 Selection statements",
		Bad:  "kernel void f(global int *p) {\n  int4 v = p[0];\n  if (v > 0)\n    p[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  int4 v = p[0];\n  if (all(v > 0))\n    p[0] = 1;\n}\n"})
	StrayJump = newCode(Code{Name: "stray-jump", Severity: Error,
		Doc:  "break, continue, case and default belong inside a loop or switch.",
		Spec: "C99 6.8.6 Jump statements",
		Bad:  "kernel void f(global int *p) {\n  break;\n}\n",
		Good: "kernel void f(global int *p) {\n  while (p[0]) break;\n}\n"})
	DuplicateCase = newCode(Code{Name: "duplicate-case", Severity: Error,
		Doc:  "Two labels of a switch have the same value.",
		Spec: "C99 6.8.4.2 The switch statement",
		Bad:  "kernel void f(global int *p) {\n  switch (p[0]) { case 1: p[0] = 2; break; case 1: p[0] = 3; }\n}\n",
		Good: "kernel void f(global int *p) {\n  switch (p[0]) { case 1: p[0] = 2; break; case 2: p[0] = 3; }\n}\n"})
	SwitchOverflow = newCode(Code{Name: "switch", Severity: Warning,
		Doc:  "A case value does not fit the type of the switch.",
		Spec: "C99 6.8.4.2 The switch statement",
		Bad:  "kernel void f(global int *p) {\n  switch (p[0]) { case 4294967297: p[0] = 2; }\n}\n",
		Good: "kernel void f(global int *p) {\n  switch (p[0]) { case 1: p[0] = 2; }\n}\n"})
	EmptyCaseRange = newCode(Code{Name: "empty-case-range", Severity: Warning,
		Doc:  "A case range whose end is less than its begin matches nothing.",
		Spec: "C99 6.8.4.2 The switch statement",
		Bad:  "kernel void f(global int *p) {\n  switch (p[0]) { case 3 ... 1: p[0] = 2; }\n}\n",
		Good: "kernel void f(global int *p) {\n  switch (p[0]) { case 1 ... 3: p[0] = 2; }\n}\n"})
	UndeclaredLabel = newCode(Code{Name: "undeclared-label", Severity: Error,
		Doc:  "goto names a label that the function does not have.",
		Spec: "C99 6.8.6.1 The goto statement",
		Bad:  "kernel void f(global int *p) {\n  goto end;\n}\n",
		Good: "kernel void f(global int *p) {\n  goto end;\n  end: p[0] = 1;\n}\n"})
	ReturnMismatch = newCode(Code{Name: "return-mismatch", Severity: Error,
		Doc:  "A void function returns a value, or another one returns none.",
		Spec: "C99 6.8.6.4 The return statement",
		Bad:  "kernel void f(global int *p) {\n  return 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  return;\n}\n"})
	ReturnType = newCode(Code{Name: "return-type", Severity: Warning,
		Doc:  "Control can reach the end of a function that should return a value.",
		Spec: "C99 6.9.1 Function definitions, paragraph 12",
		Bad:  "int g(int x) {\n  if (x)\n    return 1;\n}\n",
		Good: "int g(int x) {\n  if (x)\n    return 1;\n  return 0;\n}\n"})
	ReturnStackAddress = newCode(Code{Name: "return-stack-address", Severity: Warning,
		Doc:  "The object whose address is returned is gone once the function has returned.",
		Spec: "C99 6.2.4 Storage durations of objects",
		Bad:  "int *g(void) {\n  int x = 1;\n  return &x;\n}\n",
		Good: "int g(void) {\n  int x = 1;\n  return x;\n}\n"})
	EmptyBody = newCode(Code{Name: "empty-body", Severity: Warning,
		Doc:  "An if is followed by \";\" at once: it decides nothing.",
		Spec: "C99 6.8.4.1 The if statement",
		Bad:  "kernel void f(global int *p) {\n  if (p[0]);\n  p[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  if (p[0])\n    p[0] = 1;\n}\n"})
	UnreachableCode = newCode(Code{Name: "unreachable-code", Severity: Warning, Off: true, Options: "-Wunreachable-code",
		Doc:  "No path through the function reaches this.",
		Spec: "C99 6.8.6 Jump statements",
		Bad:  "kernel void f(global int *p) {\n  return;\n  p[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1;\n  return;\n}\n"})
	UnusedValue = newCode(Code{Name: "unused-value", Severity: Warning,
		Doc:  "The value of an expression statement is not used and computing it does nothing else.",
		Spec: "C99 6.8.3 Expression and null statements",
		Bad:  "kernel void f(global int *p) {\n  p[0] + 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] += 1;\n}\n"})
	UnusedComparison = newCode(Code{Name: "unused-comparison", Severity: Warning,
		Doc:  "The result of a comparison is not used; an assignment was probably meant.",
		Spec: "C99 6.8.3 Expression and null statements",
		Bad:  "kernel void f(global int *p) {\n  p[0] == 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1;\n}\n"})
	UnusedVariable = newCode(Code{Name: "unused-variable", Severity: Warning, Off: true, Group: "all", Options: "-Wunused-variable",
		Doc:  "A variable is declared and never used.",
		Spec: "C99 6.7 Declarations",
		Bad:  "kernel void f(global int *p) {\n  int x = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  int x = 1;\n  p[0] = x;\n}\n"})
	UnusedButSetVariable = newCode(Code{Name: "unused-but-set-variable", Severity: Warning, Off: true, Group: "all", Options: "-Wunused-but-set-variable",
		Doc:  "A variable is given values that nothing reads.",
		Spec: "C99 6.7 Declarations",
		Bad:  "kernel void f(global int *p) {\n  int x;\n  x = p[0];\n}\n",
		Good: "kernel void f(global int *p) {\n  int x;\n  x = p[0];\n  p[1] = x;\n}\n"})
	UnusedParameter = newCode(Code{Name: "unused-parameter", Severity: Warning, Off: true, Group: "extra", Options: "-Wunused-parameter",
		Doc:  "A function does not use one of its parameters.",
		Spec: "C99 6.9.1 Function definitions",
		Bad:  "int g(int x) { return 1; }\n",
		Good: "int g(int x) { return x; }\n"})
	UnusedFunction = newCode(Code{Name: "unused-function", Severity: Warning, Off: true, Group: "all", Options: "-Wunused-function",
		Doc:  "A static function is never called.",
		Spec: "C99 6.9.1 Function definitions",
		Bad:  "static int g(int x) { return x; }\n",
		Good: "int g(int x) { return x; }\n"})
	UnusedLabel = newCode(Code{Name: "unused-label", Severity: Warning, Off: true, Group: "all", Options: "-Wunused-label",
		Doc:  "No goto names this label.",
		Spec: "C99 6.8.1 Labeled statements",
		Bad:  "kernel void f(global int *p) {\n  end: p[0] = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1;\n}\n"})
	Uninitialized = newCode(Code{Name: "uninitialized", Severity: Warning, Off: true, Group: "all", Options: "-Wuninitialized",
		Doc:  "A value is used that nothing has set: an automatic variable without initializer, and, in a launch with checks, which reports all of them without an option, also local memory that no work-item wrote and an undefined vector component. It is 0 here, anything elsewhere.",
		Spec: "C99 6.7.8 Initialization, paragraph 10",
		Bad:  "kernel void f(global int *p) {\n  int x;\n  p[0] = x;\n}\n",
		Good: "kernel void f(global int *p) {\n  int x = 1;\n  p[0] = x;\n}\n"})
	Shadow = newCode(Code{Name: "shadow", Severity: Warning, Off: true, Options: "-Wshadow",
		Doc:  "A declaration hides another one of the same name.",
		Spec: "C99 6.2.1 Scopes of identifiers",
		Bad:  "kernel void f(global int *p) {\n  int x = 1;\n  {\n    int x = 2;\n    p[0] = x;\n  }\n  p[1] = x;\n}\n",
		Good: "kernel void f(global int *p) {\n  int x = 1;\n  {\n    int y = 2;\n    p[0] = y;\n  }\n  p[1] = x;\n}\n"})
	FunctionTooLarge = newCode(Code{Name: "function-too-large", Severity: Fatal,
		Doc: "Functions with a barrier become part of their callers, once for each call. Here that makes several million operations.",
	})
)

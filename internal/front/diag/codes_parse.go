package diag

// Codes of the parser. The examples are whole translation units.
var (
	ExpectedSemi = newCode(Code{Name: "expected-semicolon", Severity: Error,
		Doc:  "A ';' is missing at the end of a statement or declaration. The place shown is right behind the last token before it.",
		Spec: "C99 6.8 Statements and blocks",
		Bad:  "kernel void f(global int *p) {\n  p[0] = 1\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1;\n}\n"})
	FieldSemi = newCode(Code{Name: "missing-field-semicolon", Severity: Warning,
		Doc:  "The last field of a struct or union has no ';' behind it.",
		Spec: "C99 6.7.2.1 Structure and union specifiers",
		Bad:  "struct s { int a };\n",
		Good: "struct s { int a; };\n"})
	ExpectedToken = newCode(Code{Name: "expected-token", Severity: Error,
		Doc:  "The grammar wants another token here than the one that stands there. For a closing bracket, the note shows the opening one.",
		Spec: "C99 A.2 Phrase structure grammar",
		Bad:  "kernel void f(global int *p) {\n  p[0 = 1;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1;\n}\n"})
	ExpectedExpr = newCode(Code{Name: "expected-expression", Severity: Error,
		Doc:  "An expression must stand here: a name, a constant, a parenthesis or a prefix operator. A conversion is not written as a call of a type: write (int)x or convert_int(x), and (float4)(a, b, c, d) for a vector.",
		Spec: "C99 6.5 Expressions",
		Bad:  "kernel void f(global int *p) {\n  p[0] = 1 + ;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1 + 2;\n}\n"})
	StrayToken = newCode(Code{Name: "stray-token", Severity: Error,
		Doc:  "A character that no token of OpenCL C begins with, or a '#' that is not a directive's.",
		Spec: "C99 6.4 Lexical elements",
		Bad:  "kernel void f(global int *p) {\n  p[0] = 1 @ 2;\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1 + 2;\n}\n"})
	ExtraneousParen = newCode(Code{Name: "extraneous-bracket", Severity: Error,
		Doc:  "A closing bracket before ';' that no opening one belongs to.",
		Spec: "C99 6.8 Statements and blocks",
		Bad:  "kernel void f(global int *p) {\n  p[0] = 1);\n}\n",
		Good: "kernel void f(global int *p) {\n  p[0] = 1;\n}\n"})
	ExtraneousBrace = newCode(Code{Name: "extraneous-brace", Severity: Error,
		Doc:  "A '}' outside any function that closes nothing: look for one too many in the function before it.",
		Spec: "C99 6.9 External definitions",
		Bad:  "kernel void f(void) { }\n}\n",
		Good: "kernel void f(void) { }\n"})
	UnknownType = newCode(Code{Name: "unknown-type", Severity: Error,
		Doc:  "A name stands where a type must, but no type of that name is declared before this point.",
		Spec: "OpenCL C 6.3 Supported data types",
		Bad:  "kernel void f(void) {\n  flaot4 x;\n}\n",
		Good: "kernel void f(void) {\n  float4 x;\n}\n"})
	MissingType = newCode(Code{Name: "missing-type", Severity: Error,
		Doc:  "A declaration without a type. Old C took it for int; C99 and OpenCL C do not.",
		Spec: "C99 6.7.2 Type specifiers",
		Bad:  "f(void) { return 0; }\n",
		Good: "int f(void) { return 0; }\n"})
	BadTypeCombination = newCode(Code{Name: "bad-type-combination", Severity: Error,
		Doc:  "Declaration specifiers that exclude each other, such as float and double, or unsigned and float.",
		Spec: "C99 6.7.2 Type specifiers",
		Bad:  "void f(unsigned float x);\n",
		Good: "void f(unsigned int x);\n"})
	DuplicateSpecifier = newCode(Code{Name: "duplicate-decl-specifier", Severity: Warning,
		Doc:  "A qualifier or specifier is written twice; the second does nothing.",
		Spec: "C99 6.7.3 Type qualifiers",
		Bad:  "void f(const const int x);\n",
		Good: "void f(const int x);\n"})
	UnsupportedStorageClass = newCode(Code{Name: "unsupported-storage-class", Severity: Error,
		Doc:  "OpenCL C has no auto, register and thread storage classes; before version 1.2 it has no extern and static either.",
		Spec: "OpenCL C 6.8 Storage-class specifiers",
		Bad:  "void f(void) { auto int x = 1; }\n",
		Good: "void f(void) { int x = 1; }\n"})
	MisplacedStorageClass = newCode(Code{Name: "misplaced-storage-class", Severity: Error,
		Doc:  "A storage class such as static or typedef stands in a parameter, a field or the type of a cast.",
		Spec: "C99 6.7.1 Storage-class specifiers",
		Bad:  "void f(static int x);\n",
		Good: "void f(int x);\n"})
	UnsupportedGeneric = newCode(Code{Name: "unsupported-generic", Severity: Error,
		Doc:  "The generic address space came with OpenCL C 2.0.",
		Spec: "OpenCL C 6.7.5 The generic address space",
		Bad:  "void f(__generic int *p);\n",
		Good: "void f(__private int *p);\n"})
	OldStyleFunction = newCode(Code{Name: "old-style-function", Severity: Error,
		Doc:  "The parameters are given as in C before 1989, names first and types behind the parenthesis. Write the type before each name.",
		Spec: "C99 6.9.1 Function definitions",
		Bad:  "int f(a, b) int a; int b; { return a + b; }\n",
		Good: "int f(int a, int b) { return a + b; }\n"})
	NestedFunction = newCode(Code{Name: "nested-function", Severity: Error,
		Doc:  "A function is defined inside another. Where that is not meant, a '}' is missing further up.",
		Spec: "C99 6.9.1 Function definitions",
		Bad:  "void f(void) {\n  void g(void) { }\n}\n",
		Good: "void g(void) { }\nvoid f(void) { }\n"})
	EmptyEnum = newCode(Code{Name: "empty-enum", Severity: Error,
		Doc:  "An enum needs at least one constant.",
		Spec: "C99 6.7.2.2 Enumeration specifiers",
		Bad:  "enum e { };\n",
		Good: "enum e { none };\n"})
	LabelAtEnd = newCode(Code{Name: "label-at-end", Severity: Warning,
		Doc:  "A label stands right before '}': C99 wants a statement behind it; a ';' will do.",
		Spec: "C99 6.8.1 Labeled statements",
		Bad:  "void f(int x) {\n  if (x) goto end;\n  x = 1;\nend:\n}\n",
		Good: "void f(int x) {\n  if (x) goto end;\n  x = 1;\nend: ;\n}\n"})
	UnrollWithoutLoop = newCode(Code{Name: "unroll-without-loop", Severity: Error,
		Doc:  "#pragma unroll and the attribute opencl_unroll_hint must stand right before a loop.",
		Spec: "OpenCL C 6.13.2.1 Specifying attribute for unrolling loops",
		Bad:  "void f(global int *p) {\n#pragma unroll\n  p[0] = 1;\n}\n",
		Good: "void f(global int *p) {\n#pragma unroll\n  for (int i = 0; i < 4; i++) p[i] = 1;\n}\n"})
	NestingTooDeep = newCode(Code{Name: "nesting-too-deep", Severity: Fatal,
		Doc:  "Brackets or statements are nested more than 256 deep, or more than 131,072 operators, branches or labels stand in one chain.",
		Spec: "C99 5.2.4.1 Translation limits"})
	UnsupportedBlocks = newCode(Code{Name: "unsupported-blocks", Severity: Error,
		Doc:     "Blocks (^{ … }) and block pointers are not supported. Write a function.",
		Spec:    "OpenCL C 6.14 Blocks",
		Options: "-cl-std=CL2.0",
		Bad:     "void f(void) {\n  int (^b)(int) = ^(int a) { return a; };\n}\n",
		Good:    "int b(int a) { return a; }\n"})
	UnsupportedPipes = newCode(Code{Name: "unsupported-pipes", Severity: Error,
		Doc:     "Pipes are not supported. Pass data through buffers.",
		Spec:    "OpenCL C 6.15.15 Pipe functions",
		Options: "-cl-std=CL2.0",
		Bad:     "kernel void f(read_only pipe int p) { }\n",
		Good:    "kernel void f(global int *p) { }\n"})
	UnsupportedCPlusPlus = newCode(Code{Name: "unsupported-cplusplus", Severity: Error,
		Doc:  "Templates, classes, references, namespaces and default arguments belong to C++ for OpenCL, which is not supported.",
		Spec: "The C++ for OpenCL Programming Language Documentation",
		Bad:  "void f(int &x);\n",
		Good: "void f(int *x);\n"})
	ForeignWord = newCode(Code{Name: "cuda-word", Severity: Error,
		Doc:  "The source has a word of CUDA that OpenCL C has another word for, or none. The message names it: kernel for __global__, local for __shared__, constant for __constant__; __device__ goes. Pointer arguments of a kernel need the address space of what they point to, as a rule global.",
		Spec: "OpenCL C 6.7 Address space qualifiers, 6.9 Function qualifiers",
		Bad:  "__global__ void f(global int *p) { p[0] = 1; }\n",
		Good: "kernel void f(global int *p) { p[0] = 1; }\n"})
	UnsupportedAsm = newCode(Code{Name: "unsupported-asm", Severity: Error,
		Doc: "Inline assembly belongs to one processor and is not supported.",
		Bad: "void f(void) { asm(\"nop\"); }\n", Good: "void f(void) { }\n"})
	UnsupportedComplex = newCode(Code{Name: "unsupported-complex", Severity: Error,
		Doc:  "OpenCL C reserves complex and imaginary types, but does not have them. Use float2.",
		Spec: "OpenCL C 6.3.4 Other reserved data types",
		Bad:  "void f(float _Complex x);\n",
		Good: "void f(float2 x);\n"})
	UnsupportedAtomic = newCode(Code{Name: "unsupported-atomic", Severity: Error,
		Doc:  "OpenCL C has the types atomic_int, atomic_uint, atomic_float and so on instead of C11's _Atomic.",
		Spec: "OpenCL C 6.15.12.8 Restrictions",
		Bad:  "void f(global _Atomic int *p);\n",
		Good: "void f(global int *p);\n"})
	UnsupportedSelection = newCode(Code{Name: "unsupported-generic-selection", Severity: Error,
		Doc: "_Generic is C11 and not supported. OpenCL C's functions are overloaded already, and __attribute__((overloadable)) overloads your own.",
		Bad: "int f(int x) { return _Generic(x, int: 1, default: 2); }\n", Good: "int f(int x) { return 1; }\n"})
	UnsupportedLabelAddress = newCode(Code{Name: "unsupported-label-address", Severity: Error,
		Doc: "The address of a label (&&label) and goto to an expression are extensions of GNU C that are not supported. Use switch.",
		Bad: "void f(void *p) {\n  goto *p;\n}\n", Good: "void f(void) {\n  goto end;\nend: ;\n}\n"})
)

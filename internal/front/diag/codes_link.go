package diag

// Codes of linking the translation units of a program.
var (
	UndefinedSymbol = newCode(Code{Name: "undefined-symbol", Severity: Error, Link: true,
		Doc:  "A function or variable is used that no unit of the program defines. A declaration is not enough: define it, link the unit that does, or, of overloads, define the one with these parameter types.",
		Spec: "OpenCL API 5.8.3 Linking program binaries",
		Bad:  "int g(int x);\nkernel void f(global int *p) { p[0] = g(1); }\n",
		Good: "int g(int x) { return x; }\nkernel void f(global int *p) { p[0] = g(1); }\n"})
	MultipleDefinition = newCode(Code{Name: "multiple-definition", Severity: Error, Link: true,
		Doc:  "Two units of a program define one function or variable. Declare it in a header and define it in one unit, or make it static in each.",
		Spec: "C99 6.9 External definitions, paragraph 5"})
)

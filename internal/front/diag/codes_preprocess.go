package diag

// Codes of the preprocessor. Texts follow clang's.
var (
	NullCharacter = newCode(Code{Name: "null-character", Severity: Warning,
		Doc:  "The source text contains a NUL byte. It is treated as white space; usually it means that the text's length was given wrongly.",
		Spec: "C99 5.2.1 Character sets", Bad: "int f(void) { return 1;\x00 }\n", Good: "int f(void) { return 1; }\n"})
	UnicodeWhitespace = newCode(Code{Name: "unicode-whitespace", Severity: Warning,
		Doc:  "A non-ASCII space, such as a no-break space pasted from a web page, stands outside of literals and comments. It is treated as a space.",
		Spec: "C99 6.4 Lexical elements", Bad: "int f(void) {\u00a0return 1; }\n", Good: "int f(void) { return 1; }\n"})
	InvalidUTF8 = newCode(Code{Name: "invalid-utf8", Severity: Error,
		Doc:  "A byte outside of literals and comments is neither ASCII nor part of a UTF-8 character. Save the file as UTF-8.",
		Spec: "C99 5.2.1 Character sets", Bad: "int f(void) { return 1; }\n\xff\n", Good: "int f(void) { return 1; }\n"})
	UnexpectedCharacter = newCode(Code{Name: "unexpected-character", Severity: Error,
		Doc:  "A character that can begin no token stands in the program, such as a typographic quote or dash.",
		Spec: "C99 6.4 Lexical elements", Bad: "int f(int a) { return a \u2212 1; }\n", Good: "int f(int a) { return a - 1; }\n"})
	InvalidPPToken = newCode(Code{Name: "invalid-pp-token", Severity: Warning,
		Doc:  "A string literal or character constant is not closed on its line, or is an empty character constant. It is an error if the program uses it.",
		Spec: "C99 6.4 Lexical elements, paragraph 3", Bad: "#define QUOTE \"abc\n", Good: "#define QUOTE \"abc\"\n"})
	UnterminatedComment = newCode(Code{Name: "unterminated-comment", Severity: Error,
		Doc:  "A comment that begins with /* is not closed before the end of the file.",
		Spec: "C99 6.4.9 Comments", Bad: "int f(void) { return 1; }\n/* the end\n", Good: "int f(void) { return 1; }\n/* the end */\n"})
	Trigraphs = newCode(Code{Name: "trigraphs", Severity: Warning,
		Doc:  "Three characters such as ??= were taken as the one character that they stand for.",
		Spec: "C99 5.2.1.1 Trigraph sequences", Bad: "??=define A 1\n", Good: "#define A 1\n"})

	InvalidDirective = newCode(Code{Name: "invalid-directive", Severity: Error,
		Doc:  "The word after # names no preprocessing directive.",
		Spec: "C99 6.10 Preprocessing directives", Bad: "#defin A 1\n", Good: "#define A 1\n"})
	ExtraTokens = newCode(Code{Name: "extra-tokens", Severity: Warning,
		Doc:  "A directive goes on after its operands; the rest is ignored. Make it a comment.",
		Spec: "C99 6.10 Preprocessing directives", Bad: "#ifdef A\n#endif A\n", Good: "#ifdef A\n#endif // A\n"})
	UserError = newCode(Code{Name: "user-error", Severity: Error,
		Doc:  "The program itself asked for this error with #error or #pragma GCC error.",
		Spec: "C99 6.10.5 Error directive", Bad: "#ifndef WIDTH\n#error WIDTH must be defined\n#endif\n", Good: "#define WIDTH 4\n#ifndef WIDTH\n#error WIDTH must be defined\n#endif\n"})
	UserWarning = newCode(Code{Name: "#warnings", Severity: Warning,
		Doc:  "The program itself asked for this warning with #warning or #pragma GCC warning.",
		Spec: "C99 6.10 Preprocessing directives (extension)", Bad: "#warning check the tile size\n", Good: "// check the tile size\n"})
	PragmaMessage = newCode(Code{Name: "#pragma-messages", Severity: Warning,
		Doc:  "The program asked for this message with #pragma message.",
		Spec: "C99 6.10.6 Pragma directive", Bad: "#pragma message(\"hello\")\n", Good: "// hello\n"})

	MacroName = newCode(Code{Name: "macro-name", Severity: Error,
		Doc:  "A macro's name is missing where a directive or the operator defined needs one, is no identifier, or is the reserved word defined.",
		Spec: "C99 6.10.3 Macro replacement", Bad: "#define 4WIDE 1\n", Good: "#define WIDE4 1\n"})
	MacroSpace = newCode(Code{Name: "c99-extensions", Severity: Warning,
		Doc:  "White space is required between the name of an object-like macro and its replacement list.",
		Spec: "C99 6.10.3 Macro replacement, paragraph 3", Bad: "#define MINUS-1\n", Good: "#define MINUS -1\n"})
	MacroParameters = newCode(Code{Name: "macro-parameters", Severity: Error,
		Doc:  "The parameter list of a function-like macro is malformed: names separated by commas, the last of which may be an ellipsis, and each only once.",
		Spec: "C99 6.10.3 Macro replacement", Bad: "#define ADD(a, a) a + a\n", Good: "#define ADD(a, b) a + b\n"})
	VaArgs = newCode(Code{Name: "variadic-macros", Severity: Warning,
		Doc:  "__VA_ARGS__ stands for the variable arguments of a macro with an ellipsis in its parameter list and has no meaning elsewhere.",
		Spec: "C99 6.10.3 Macro replacement, paragraph 5", Bad: "#define LOG(x) x __VA_ARGS__\n", Good: "#define LOG(x, ...) x __VA_ARGS__\n"})
	PasteAtEnd = newCode(Code{Name: "paste-at-end", Severity: Error,
		Doc:  "The operator ## joins two tokens; it cannot be the first or last of a replacement list.",
		Spec: "C99 6.10.3.3 The ## operator", Bad: "#define CAT(a, b) a b ##\n", Good: "#define CAT(a, b) a ## b\n"})
	StringizeOperand = newCode(Code{Name: "stringize-operand", Severity: Error,
		Doc:  "In a function-like macro, # makes a string of a parameter, whose name must follow.",
		Spec: "C99 6.10.3.2 The # operator", Bad: "#define NAME(a) #b\n", Good: "#define NAME(a) #a\n"})
	MacroRedefined = newCode(Code{Name: "macro-redefined", Severity: Warning,
		Doc:  "A macro gets a second, different definition. #undef it first if that is meant.",
		Spec: "C99 6.10.3 Macro replacement, paragraph 2", Bad: "#define N 1\n#define N 2\n", Good: "#define N 1\n#undef N\n#define N 2\n"})
	BuiltinMacroRedefined = newCode(Code{Name: "builtin-macro-redefined", Severity: Warning,
		Doc:  "A macro that the preprocessor computes itself, such as __LINE__, is redefined or undefined.",
		Spec: "C99 6.10.8 Predefined macro names, paragraph 4", Bad: "#define __LINE__ 7\n", Good: "#line 7\n"})
	PoisonedIdentifier = newCode(Code{Name: "poisoned-identifier", Severity: Error,
		Doc:  "The program uses a name that it forbade with #pragma GCC poison.",
		Spec: "C99 6.10.6 Pragma directive", Bad: "#pragma GCC poison old_name\nint f(void) { return old_name; }\n", Good: "#pragma GCC poison old_name\nint f(void) { return 1; }\n"})

	UnterminatedInvocation = newCode(Code{Name: "unterminated-invocation", Severity: Error,
		Doc:  "The right parenthesis of a macro's arguments is missing.",
		Spec: "C99 6.10.3 Macro replacement, paragraph 10", Bad: "#define SQ(x) ((x) * (x))\nint f(int a) { return SQ(a; }\n", Good: "#define SQ(x) ((x) * (x))\nint f(int a) { return SQ(a); }\n"})
	MacroArguments = newCode(Code{Name: "macro-arguments", Severity: Error,
		Doc:  "A function-like macro is invoked with more or fewer arguments than it has parameters. Commas inside of braces or brackets separate arguments too: put parentheses around them.",
		Spec: "C99 6.10.3 Macro replacement, paragraph 4", Bad: "#define ADD(a, b) ((a) + (b))\nint f(int x) { return ADD(x); }\n", Good: "#define ADD(a, b) ((a) + (b))\nint f(int x) { return ADD(x, 1); }\n"})
	InvalidPaste = newCode(Code{Name: "invalid-token-paste", Severity: Error,
		Doc:  "The operator ## joined two tokens to something that is no token. Most often the ## is simply not needed.",
		Spec: "C99 6.10.3.3 The ## operator, paragraph 3", Bad: "#define MEMBER(s, m) s. ## m\nint f(int2 v) { return MEMBER(v, x); }\n", Good: "#define MEMBER(s, m) s.m\nint f(int2 v) { return MEMBER(v, x); }\n"})
	InvalidStringize = newCode(Code{Name: "invalid-stringize", Severity: Warning,
		Doc:  "The operator # made a string literal that ends in a lone backslash, which is dropped.",
		Spec: "C99 6.10.3.2 The # operator, paragraph 2", Bad: "#define S(x) #x\n__constant char s[] = S(\\);\n", Good: "__constant char s[] = \"\\\\\";\n"})
	ExpansionTooLarge = newCode(Code{Name: "expansion-too-large", Severity: Fatal,
		Doc:  "Macro expansion produced more tokens than the implementation allows (16 million by default); usually macros that each double the last.",
		Spec: "C99 5.2.4.1 Translation limits"})
	ExpansionTooDeep = newCode(Code{Name: "expansion-too-deep", Severity: Fatal,
		Doc:  "Macro invocations are nested in each other's arguments more than 1000 deep.",
		Spec: "C99 5.2.4.1 Translation limits"})

	UnterminatedConditional = newCode(Code{Name: "unterminated-conditional", Severity: Error,
		Doc:  "A conditional that begins with #if, #ifdef or #ifndef has no #endif in the same file.",
		Spec: "C99 6.10.1 Conditional inclusion", Bad: "#ifdef A\n", Good: "#ifdef A\n#endif\n"})
	ConditionalWithoutIf = newCode(Code{Name: "conditional-without-if", Severity: Error,
		Doc:  "An #else, #elif or #endif belongs to no #if of the same file.",
		Spec: "C99 6.10.1 Conditional inclusion", Bad: "#endif\n", Good: "#if 1\n#endif\n"})
	ElseAfterElse = newCode(Code{Name: "else-after-else", Severity: Error,
		Doc:  "#else is the last group of a conditional; no #elif and no second #else may follow.",
		Spec: "C99 6.10.1 Conditional inclusion", Bad: "#if 1\n#else\n#else\n#endif\n", Good: "#if 1\n#else\n#endif\n"})
	BadCondition = newCode(Code{Name: "bad-condition", Severity: Error,
		Doc:  "What follows #if or #elif is no integer constant expression: integer and character constants, identifiers (which are 0), the operator defined, and C's operators other than assignment, comma, casts and sizeof.",
		Spec: "C99 6.10.1 Conditional inclusion", Bad: "#if 1.5 > 1\n#endif\n", Good: "#if 15 > 10\n#endif\n"})
	ConditionOverflow = newCode(Code{Name: "condition-overflow", Severity: Warning,
		Doc:  "Arithmetic in #if overflowed the 64-bit integer type that it is done in.",
		Spec: "C99 6.10.1 Conditional inclusion, paragraph 4", Bad: "#if 0x7fffffffffffffff + 1\n#endif\n", Good: "#if 0x7fffffffffffffffu + 1\n#endif\n"})
	ConditionSign = newCode(Code{Name: "condition-sign", Severity: Warning,
		Doc:  "In #if a negative number meets an unsigned one and is taken as a large unsigned number.",
		Spec: "C99 6.10.1 Conditional inclusion, paragraph 4", Bad: "#if -1 < 1u\n#endif\n", Good: "#if -1 < 1\n#endif\n"})
	IntegerTooLarge = newCode(Code{Name: "implicitly-unsigned-literal", Severity: Warning,
		Doc:  "A decimal constant without suffix is too large for the largest signed type and is taken as unsigned.",
		Spec: "C99 6.4.4.1 Integer constants, paragraph 6", Bad: "#if 18446744073709551615 == 0\n#endif\n", Good: "#if 18446744073709551615u == 0\n#endif\n"})
	Undef = newCode(Code{Name: "undef", Severity: Warning, Off: true,
		Doc:  "An identifier in #if is no macro and counts as 0.",
		Spec: "C99 6.10.1 Conditional inclusion, paragraph 4", Bad: "#if WIDTH > 2\n#endif\n", Good: "#define WIDTH 4\n#if WIDTH > 2\n#endif\n", Options: "-Wundef"})
	HasOperator = newCode(Code{Name: "has-operator", Severity: Error,
		Doc:  "__has_include, __has_attribute and their like take one operand in parentheses; __has_include stands in #if and #elif only.",
		Spec: "clang language extensions, Feature Checking Macros", Bad: "#if __has_attribute\n#endif\n", Good: "#if __has_attribute(packed)\n#endif\n"})

	Multichar = newCode(Code{Name: "multichar", Severity: Warning,
		Doc:  "A character constant has several characters; its value is implementation-defined: the characters' bytes, the first one highest.",
		Spec: "C99 6.4.4.4 Character constants, paragraph 10", Bad: "#if 'ab' == 24930\n#endif\n", Good: "#if 'a' == 97\n#endif\n"})
	CharTooLong = newCode(Code{Name: "character-constant-too-long", Severity: Warning,
		Doc:  "A character constant has more characters than fit into its type.",
		Spec: "C99 6.4.4.4 Character constants, paragraph 10", Bad: "#if 'abcde'\n#endif\n", Good: "#if 'a'\n#endif\n"})
	UnknownEscape = newCode(Code{Name: "unknown-escape-sequence", Severity: Warning,
		Doc:  "A backslash is followed by a character that forms no escape sequence with it; it stands for that character.",
		Spec: "C99 6.4.4.4 Character constants", Bad: "#if '\\q' == 'q'\n#endif\n", Good: "#if 'q' == 'q'\n#endif\n"})
	BadEscape = newCode(Code{Name: "invalid-escape-sequence", Severity: Error,
		Doc:  "A numeric escape sequence has no digits or a value that does not fit into a character, or a universal character name is malformed.",
		Spec: "C99 6.4.4.4 Character constants", Bad: "#if '\\x'\n#endif\n", Good: "#if '\\x41'\n#endif\n"})

	IncludeName = newCode(Code{Name: "include-name", Severity: Error,
		Doc:  "#include is not followed by \"FILENAME\" or <FILENAME>, nor by a macro that gives one.",
		Spec: "C99 6.10.2 Source file inclusion", Bad: "#include filter.h\n", Good: "#if __has_include(\"filter.h\")\n#include \"filter.h\"\n#endif\n"})
	FileNotFound = newCode(Code{Name: "file-not-found", Severity: Fatal,
		Doc:  "An included file is neither among the in-memory headers, nor beside the including file (for the \"\" form), nor in a directory given with -I.",
		Spec: "OpenCL API, Preprocessor Options", Bad: "#include \"no-such-file.h\"\n", Good: "#if __has_include(\"no-such-file.h\")\n#include \"no-such-file.h\"\n#endif\n"})
	IncludeTooDeep = newCode(Code{Name: "include-too-deep", Severity: Fatal,
		Doc:  "Files include each other more than 200 deep, or far too many in all; usually a header that includes itself. Guard it with #pragma once.",
		Spec: "C99 5.2.4.1 Translation limits"})
	DirectiveInArguments = newCode(Code{Name: "directive-in-arguments", Severity: Error,
		Doc:  "An #include stands between the parentheses of a macro invocation.",
		Spec: "C99 6.10.3 Macro replacement, paragraph 11", Bad: "#define ID(x) x\nint f(void) { return ID(\n#include \"one.h\"\n); }\n", Good: "#define ID(x) x\nint f(void) { return ID(\n1\n); }\n"})
	LineNumber = newCode(Code{Name: "line-number", Severity: Error,
		Doc:  "#line takes a decimal number up to 2147483647 and, optionally, a file name in quotes.",
		Spec: "C99 6.10.4 Line control", Bad: "#line first\n", Good: "#line 1\n"})

	UnknownPragmas = newCode(Code{Name: "unknown-pragmas", Severity: Warning,
		Doc:  "The pragma is not known and ignored.",
		Spec: "OpenCL C 3.0, Preprocessor Directives and Macros", Bad: "#pragma vector always\n", Good: "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"})
	BadPragma = newCode(Code{Name: "invalid-pragma", Severity: Error,
		Doc:  "A pragma that is known, or the operator _Pragma, lacks the string that it takes.",
		Spec: "C99 6.10.9 Pragma operator", Bad: "_Pragma(once)\n", Good: "_Pragma(\"OPENCL FP_CONTRACT OFF\")\n"})
	PragmaOnceMain = newCode(Code{Name: "pragma-once-outside-header", Severity: Warning,
		Doc:  "#pragma once has no effect in a file that is not included.",
		Spec: "C99 6.10.6 Pragma directive", Bad: "#pragma once\n", Good: "// not included by another file\n"})
)

// Package pages checks the documentation: README.md and the Markdown files below docs.
//
// Input: the pages. Output: an error for each link that leads nowhere, each code block that
// does not do what the page says, and each shell command with other output.
//
// The first word after the fence of a code block is its language; a second one is a file
// name. All blocks of a page share one folder, in order:
//
//   - "go NAME.go" is a program. It is built with the module, and a following "output" block
//     is what it prints.
//   - "go" without a name is a fragment: it must parse as Go statements or declarations.
//   - "cl NAME.cl" is written to the folder; every "cl" block must compile as OpenCL C 3.0,
//     unless the page shows its errors ("cl NAME.cl broken").
//   - any other language with a name is written to the folder.
//   - "console" has commands behind "$ ", each followed by its output. "..." in the output
//     stands for any text. A comment "# exit N" behind a command is its exit status.
//     Commands run in the page's folder, with purecl in the path.
//
// A comment such as "<!-- test: driver -->" before a block says what it needs; see
// [Directives].
//
// TestNewUser follows the README from beginning to end in a Debian with nothing but Go and the
// packages that the README names.
//
// It must not know of the product's packages, except to compile kernels.
//
// Start reading at pages_test.go.
package pages

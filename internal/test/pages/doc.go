// Package pages checks the documentation: README.md and the Markdown files below docs.
//
// Input: the pages. Output: an error for each broken link, each code block that does not behave as its page says,
// and each shell command with different output.
//
// The first word after the fence of a code block is its language; a second one is a file name. All blocks of a page
// share one folder, in order:
//
//   - "go NAME.go" is a program. It is built with the module, and a following "output" block
//     is its output.
//   - "go" without a name is a fragment: it must parse as Go statements or declarations.
//   - "cl NAME.cl" is written to the folder. Every "cl" block must compile as OpenCL C 3.0;
//     "cl NAME.cl broken" must fail to compile.
//   - any other language with a name is written to the folder.
//   - "console" has commands after "$ ", each followed by its output. "..." in the output
//     matches any text. A comment "# exit N" after a command is its exit status.
//     Commands run in the page's folder, with purecl in the path.
//
// A comment such as "<!-- test: driver -->" before a block names its requirements; see [Directives].
//
// TestNewUser follows the README from beginning to end on a Debian system with only Go and the packages that the
// README names.
//
// It must not know of the product's packages, except to compile kernels.
//
// Start reading at pages_test.go.
package pages

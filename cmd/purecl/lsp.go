package main

import (
	"context"
	"fmt"
	"os"

	"github.com/purecl/purecl/internal/lsp"
)

type lspCmd struct {
	Stdio bool `help:"Use standard input and output. This is the default; some editors pass the flag."`
}

func (*lspCmd) Help() string {
	return help(
		"Editors start it; docs/editors.md says how to set up VS Code and Neovim. It speaks the",
		"Language Server Protocol 3.17. Build options of a file come from the editor's settings,",
		"from purecl.toml in its folder or one above, and from a comment in its first lines:",
		"",
		"    options = \"-cl-std=CL3.0 -I include\"          in purecl.toml",
		"    // purecl-options: -cl-std=CL3.0 -DN=16        in the file")
}

func (c *lspCmd) Run(ctx context.Context) error {
	if isTerminal(os.Stdin) {
		fmt.Fprintln(os.Stderr, "purecl lsp: waiting for an editor's messages (Language Server Protocol) on the standard input; docs/editors.md says how to set up an editor")
	}
	s := lsp.Server{Version: readVersion().version}
	if err := s.Serve(ctx, os.Stdin, os.Stdout); err != nil {
		return fmt.Errorf("lsp: %w", err)
	}
	return nil
}

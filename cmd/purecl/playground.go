package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/purecl/purecl/internal/playground/site"
)

type playgroundCmd struct {
	Listen string `default:"127.0.0.1:8675" placeholder:"ADDRESS" help:"Address of the server. Default: 127.0.0.1:8675; port 0 selects a free one."`
	Open   bool   `help:"Open the page in the browser."`
	Write  string `placeholder:"DIR" help:"Write the page to a folder, for any web server, and start no server."`
}

func (*playgroundCmd) Help() string {
	return help(
		"A page to write, check and run kernels in a browser: the compiler and the reference",
		"executor run there as WebAssembly, so that the sources stay in the browser.",
		"",
		"Examples:",
		"  purecl playground --open",
		"  purecl playground --write public",
	)
}

func (c *playgroundCmd) Run(ctx context.Context, o *output) error {
	files, err := site.Files()
	if err != nil {
		return usagef("%v", err)
	}
	if c.Write != "" {
		if c.Open {
			return usagef("--open needs a server, and --write starts none")
		}
		return site.Write(c.Write, files)
	}
	h, err := site.Handler(files)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return usagef("--listen %s: %v", c.Listen, err)
	}
	address := "http://" + l.Addr().String() + "/"
	fmt.Fprintf(o.out, "playground: %s (Ctrl-C ends)\n", address)
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { s.Close() })()
	if c.Open {
		if err := browse(address); err != nil {
			fmt.Fprintf(os.Stderr, "purecl: the browser cannot be opened: %v\n", err)
		}
	}
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// browse opens an address in the user's browser.
func browse(address string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", address).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address).Start()
	}
	return exec.Command("xdg-open", address).Start()
}

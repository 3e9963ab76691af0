// Command playground builds the playground's page: the WebAssembly programs with Go, the rest with npm and esbuild
// from the packages of package-lock.json. Two runs give the same bytes.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("playground: ")
	out := flag.String("out", "internal/playground/site/dist", "folder for the page, which is emptied before")
	flag.Parse()
	if err := build(*out); err != nil {
		log.Fatal(err)
	}
}

func build(out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("the page is bundled by node and npm, and %s is not installed: sh setup.sh playground installs them", program)
		}
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for name, pkg := range map[string]string{"purecl.wasm": "./internal/playground/wasm", "listing.wasm": "./internal/playground/wasm/listing"} {
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", filepath.Join(out, name), pkg)
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "CGO_ENABLED=0")
		if err := run(cmd); err != nil {
			return err
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	for _, args := range [][]string{
		{"npm", "ci", "--no-audit", "--no-fund", "--silent"},
		{"npm", "run", "--silent", "check"},
		{"node", "build.mjs", out, filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js")},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = "internal/playground/page"
		if err := run(cmd); err != nil {
			return err
		}
	}
	return nil
}

func run(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}

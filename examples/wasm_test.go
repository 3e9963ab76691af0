package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wasiHost runs a program of GOOS=wasip1 on node.
const wasiHost = `
const { WASI } = require('node:wasi');
const wasi = new WASI({ version: 'preview1', args: ['saxpy'], env: process.env, preopens: {} });
WebAssembly.compile(require('node:fs').readFileSync(process.argv[2])).then(async m => {
	process.exitCode = wasi.start(await WebAssembly.instantiate(m, wasi.getImportObject()));
});
`

// TestWebAssembly checks that programs with the API build for WebAssembly and run on the reference executor, in
// node.
func TestWebAssembly(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the module twice")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	host := filepath.Join(dir, "wasi.js")
	if err := os.WriteFile(host, []byte(wasiHost), 0o666); err != nil {
		t.Fatal(err)
	}
	for goos, script := range map[string]string{"js": filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js"), "wasip1": host} {
		t.Run(goos, func(t *testing.T) {
			program := filepath.Join(dir, goos+".wasm")
			build := exec.Command("go", "build", "-o", program, "./saxpy")
			build.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=wasm", "CGO_ENABLED=0")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if _, err := exec.LookPath("node"); err != nil {
				t.Skip("built, and not run for want of node: sh setup.sh check installs it")
			}
			out, err := exec.Command("node", "--no-warnings", "--stack-size=8192", script, program).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "y[0], y[1], y[999] = 1 3 1999") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

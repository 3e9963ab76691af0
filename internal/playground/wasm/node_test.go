package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// host loads the program as the page's worker does, and calls it for diagnostics, a run with a picture, and an
// error.
const host = `
globalThis.require = require; globalThis.fs = require("fs"); globalThis.path = require("path");
require(process.argv[2]);
const text = "kernel void k(global uchar *p, global const uchar *q) { p[get_global_id(0)] = q[get_global_id(0)]; }";
const call = (method, params, files) => {
	const r = pureclCall(method, JSON.stringify(params), files);
	console.log(method, r.error ?? r.value, [...r.bytes ?? []].map((b) => [...b].join()).join(";"));
};
let progress = 0;
globalThis.pureclProgress = (done, total) => { progress = done / total; };
globalThis.pureclReady = () => setTimeout(() => {
	call("diagnose", { text: text.replace("p[", "r["), options: "" });
	call("prepare", { text, options: "", kernel: "k", args: ["p=zeros(3)", "q=q.raw"], global: "3", local: "", offset: "", checks: "all" }, { "q.raw": new Uint8Array([7, 8, 9]) });
	pureclCall("run", "{}");
	call("save", { name: "p", file: "p.raw" });
	call("fly", {});
	console.log("progress", progress);
	process.exit(0);
});
const go = new Go();
WebAssembly.instantiate(fs.readFileSync(process.argv[3]), go.importObject).then((r) => go.run(r.instance));
`

// TestNode checks that the program works in node as in a worker, and its compressed size: the whole page may have 4
// MB at the first load.
func TestNode(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program for WebAssembly")
	}
	dir := t.TempDir()
	program, script := filepath.Join(dir, "purecl.wasm"), filepath.Join(dir, "host.cjs")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	z.Write(b)
	z.Close()
	const most = 3_780_000
	if t.Logf("%d bytes, %d compressed", len(b), packed.Len()); packed.Len() > most {
		t.Errorf("the program has %d bytes compressed, the limit is %d", packed.Len(), most)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("built, and not run for want of node: sh setup.sh check installs it")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, []byte(host), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", "--no-warnings", script, filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"), program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"diagnose [{\"from\":56,\"to\":57,\"severity\":\"error\",\"code\":\"undeclared-identifier\"", "prepare {\"global\":[3]", "save null 7,8,9\n", "fly there is no method \"fly\"", "progress 1\n"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

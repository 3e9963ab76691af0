package lsp_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "measure beside clangd")

// largeFile returns a file of 2,000 lines, with typical functions and kernels.
func largeFile() string {
	var b strings.Builder
	for i := 0; strings.Count(b.String(), "\n") < 1980; i++ {
		fmt.Fprintf(&b, `typedef struct { float4 position; float4 velocity; int kind; } body%[1]d;
#define STEP%[1]d(x, h) ((x) + (h) * %[1]d.0f)

float4 force%[1]d(float4 a, float4 b, float soft) {
  float4 d = b - a;
  float r = dot(d, d) + soft * soft;
  float s = rsqrt(r);
  return d * (s * s * s);
}

kernel void advance%[1]d(global body%[1]d *bodies, global const float *masses, int n, float h) {
  size_t i = get_global_id(0);
  float4 p = bodies[i].position;
  float4 sum = (float4)(0.0f);
  for (int j = 0; j < n; j++) {
    float4 f = force%[1]d(p, bodies[j].position, 0.01f);
    sum += f * masses[j];
    if (j %% 2 == 0 && fabs(sum.x) > 100.0f)
      sum = clamp(sum, -1.0f, 1.0f);
  }
  bodies[i].velocity += sum * h;
  bodies[i].position = STEP%[1]d(p, h) + bodies[i].velocity.yzwx * h;
  bodies[i].kind = max(bodies[i].kind, (int)i);
}

`, i)
	}
	b.WriteString("// the end\n")
	return b.String()
}

// latencies are medians of a server's response times.
type latencies struct{ open, diagnose, hover, complete time.Duration }

func (c *client) measure(uri, text string, rounds int) (l latencies) {
	d := &opened{client: c, uri: uri, version: 1, text: text}
	begin := time.Now()
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": d.uri, "languageId": "opencl", "version": 1, "text": d.text}})
	d.diagnostics()
	l.open = time.Since(begin)
	var diagnose, hover, complete []time.Duration
	timed := func(list *[]time.Duration, do func()) {
		begin := time.Now()
		do()
		*list = append(*list, time.Since(begin))
	}
	at := strings.LastIndex(d.text, "masses[j]")
	for range rounds {
		// Type a letter in the last function, which makes an undeclared name, and remove it.
		timed(&diagnose, func() { d.edit(at, at, "x"); d.diagnostics() })
		if got := d.diagnostics(); len(got) == 0 {
			c.t.Fatal("an undeclared name has no diagnostic")
		}
		timed(&diagnose, func() { d.edit(at, at+1, ""); d.diagnostics() })
		d.edit(at, at, " ")
		timed(&hover, func() { c.call("textDocument/hover", d.at(strings.LastIndex(d.text, "force")+1), nil) })
		d.diagnostics()
		d.edit(at, at+1, "")
		d.diagnostics()
		dot := strings.LastIndex(d.text, ".velocity.yzwx") + 1
		timed(&complete, func() { c.call("textDocument/completion", d.at(dot), nil) })
	}
	median := func(list []time.Duration) time.Duration { slices.Sort(list); return list[len(list)/2] }
	l.diagnose, l.hover, l.complete = median(diagnose), median(hover), median(complete)
	return l
}

// BenchmarkDiagnostics measures the time from a letter typed into a file of 2,000 lines to its diagnostics.
func BenchmarkDiagnostics(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	c := spawn(b, nil, []string{serverVariable + "=1"}, self)
	c.initialize(nil, nil)
	l := c.measure(c.uri("k.cl"), largeFile(), max(b.N, 3))
	b.ReportMetric(float64(l.diagnose.Microseconds())/1000, "ms/diagnostics")
	b.ReportMetric(float64(l.hover.Microseconds())/1000, "ms/hover-after-edit")
	b.ReportMetric(float64(l.complete.Microseconds())/1000, "ms/completion")
	b.ReportMetric(0, "ns/op")
}

// TestBesideClangd measures the server and clangd on the same file, one after the other. clangd gets a header with
// declarations of the builtin functions, which it reads once as a preamble.
func TestBesideClangd(t *testing.T) {
	if !*long {
		t.Skip("-long measures beside clangd")
	}
	clangd, err := exec.LookPath("clangd")
	if err != nil {
		t.Skip("clangd is not installed; sh setup.sh release installs it")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := largeFile()
	flags := "-xcl\n-cl-std=CL1.2\n-Xclang\n-finclude-default-header\n"
	other := spawn(t, map[string]string{"compile_flags.txt": flags, "k.cl": text}, nil, clangd, "--log=error")
	other.initialize(nil, nil)
	theirs := other.measure(other.uri("k.cl"), text, 15)
	c := spawn(t, map[string]string{"k.cl": text}, []string{serverVariable + "=1"}, self)
	c.initialize(nil, nil)
	ours := c.measure(c.uri("k.cl"), text, 15)
	t.Logf("a file of %d lines; medians of 15 rounds", strings.Count(text, "\n"))
	for _, row := range []struct {
		what         string
		ours, theirs time.Duration
	}{{"open to diagnostics (once)", ours.open, theirs.open}, {"letter to diagnostics", ours.diagnose, theirs.diagnose}, {"letter and hover", ours.hover, theirs.hover}, {"completion of members", ours.complete, theirs.complete}} {
		t.Logf("%-28s purecl %8.2f ms   clangd %8.2f ms   clangd / purecl %.1f", row.what, ms(row.ours), ms(row.theirs), float64(row.theirs)/float64(row.ours))
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

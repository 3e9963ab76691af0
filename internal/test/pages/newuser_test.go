package pages

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/test/cleanroot"
)

// patience is the longest duration of a step of the README.
const patience = 2 * time.Minute

// TestNewUser follows the README word for word, on a Debian system with only Go and the packages that the README
// names: it writes every file and enters every command in the page's order. Each step, a block of commands, may
// take two minutes of wall time or, on a busy machine, of processor time. Modules and the repository come from the
// checkout, as if it had been published.
func TestNewUser(t *testing.T) {
	if !*long {
		t.Skip("with -long only")
	}
	if _, err := exec.LookPath("mmdebstrap"); err != nil {
		t.Fatalf("%v; sh setup.sh release installs it", err)
	}
	page, err := Read(root, "README.md")
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	toolchain := strings.TrimSpace(string(goroot))
	dir := t.TempDir()
	proxy(t, filepath.Join(dir, "proxy"))
	repository(t, filepath.Join(dir, "purecl"))
	script, steps := newUserScript(t, page, "/opt/"+filepath.Base(toolchain)+"/bin")
	clean := cleanroot.Root{
		Packages: append(readmePackages(t), "ca-certificates"),
		Copies:   map[string][]string{"/opt": {toolchain}, "/srv": {filepath.Join(dir, "proxy"), filepath.Join(dir, "purecl")}},
	}
	text := clean.Run(t, script)
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) { s.check(t, text) })
	}
}

// readmePackages returns the Debian packages that the README names.
func readmePackages(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("\\(Debian: `([^`]+)`\\)").FindSubmatch(text)
	if m == nil {
		t.Fatal("README.md names no packages as (Debian: `gcc …`)")
	}
	return strings.Fields(string(m[1]))
}

// A step is a block of commands.
type step struct {
	name     string
	commands []Command
	first    int // index of its first command
}

// newUserScript returns a script that writes the page's files and runs its commands. For each command it marks the
// output, status, nanoseconds and processor time by the command's index.
func newUserScript(t *testing.T, page *Page, bin string) (script string, steps []step) {
	t.Helper()
	var b strings.Builder
	// The checkout is served as the published module.
	fmt.Fprintf(&b, `export PATH=%s:/root/go/bin:$PATH GOPROXY=file:///srv/proxy GOSUMDB=off GOTOOLCHAIN=local NO_COLOR=1
git config --global url.file:///srv/purecl.insteadOf https://github.com/purecl/purecl
git config --global --add safe.directory '*'
mkdir /root/work
cd /root/work
`, bin)
	n := 0
	for i := range page.Blocks {
		block := &page.Blocks[i]
		if block.Lang != "console" {
			if block.Name != "" {
				fmt.Fprintf(&b, "echo %s | base64 -d > %s\n", base64.StdEncoding.EncodeToString([]byte(block.Text)), block.Name)
			}
			continue
		}
		list, err := block.Commands()
		if err != nil {
			t.Fatal(err)
		}
		s := step{name: fmt.Sprintf("line %d", block.Line), commands: list, first: n}
		for _, c := range list {
			fmt.Fprintf(&b, "echo '== command %d'; times; start=$(date +%%s%%N); status=0\necho '== output %d'\n( %s\n) 2>&1 || status=$?\n", n, n, c.Text)
			fmt.Fprintf(&b, "echo \"== ended %d $status $(( $(date +%%s%%N) - start ))\"; times\n", n)
			n++
		}
		steps = append(steps, s)
	}
	if len(steps) < 4 {
		t.Fatalf("README.md has %d blocks of commands; expected the installation, a kernel, a bug and a C program", len(steps))
	}
	return b.String(), steps
}

// check compares the step's part of the script's output, and its duration, with the page.
func (s *step) check(t *testing.T, text string) {
	total, processor := time.Duration(0), time.Duration(0)
	for i, c := range s.commands {
		n := strconv.Itoa(s.first + i)
		_, rest, ok := strings.Cut(text, "== command "+n+"\n")
		before, rest, begun := strings.Cut(rest, "== output "+n+"\n")
		out, end, ended := strings.Cut(rest, "== ended "+n+" ")
		if !ok || !begun || !ended {
			t.Fatalf("README.md:%d: %s did not run\n%s", c.Line, c.Text, text)
		}
		_, after, _ := strings.Cut(end, "\n")
		processor += childrenTime(t, after) - childrenTime(t, before)
		var status int
		var took int64
		if _, err := fmt.Sscan(end, &status, &took); err != nil {
			t.Fatal(err)
		}
		total += time.Duration(took)
		if status != c.Exit || !Match(c.Output, out) {
			t.Errorf("README.md:%d: %s\nexit status %d, want %d; it prints\n%s\nThe page says\n%s", c.Line, c.Text, status, c.Exit, out, c.Output)
		}
	}
	t.Logf("%s: %v, %v of processor time", s.commands[0].Text, total.Round(100*time.Millisecond), processor.Round(100*time.Millisecond))
	if min(total, processor) > patience {
		t.Errorf("the step takes %v, %v of processor time, and a new user waits %v", total, processor, patience)
	}
}

// childrenTime returns the processor time of a shell's children from the output of its command times, which has a
// line for the shell and one for the children, with user and system time in each.
func childrenTime(t *testing.T, text string) time.Duration {
	t.Helper()
	lines := strings.SplitN(text, "\n", 3)
	if len(lines) < 2 {
		t.Fatalf("no times in %q", text)
	}
	sum := time.Duration(0)
	for _, f := range strings.Fields(lines[1]) {
		d, err := time.ParseDuration(f)
		if err != nil {
			t.Fatal(err)
		}
		sum += d
	}
	return sum
}

// TestExampleProgram checks that the C program of the pages is the repository's.
func TestExampleProgram(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "examples/vecadd/vecadd.c"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := Read(root, "docs/c-and-python.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range page.Blocks {
		if b.Name == "vecadd.c" && b.Text == string(text) {
			return
		}
	}
	t.Error("docs/c-and-python.md does not show examples/vecadd/vecadd.c")
}

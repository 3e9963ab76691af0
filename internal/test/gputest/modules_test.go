package gputest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/gpu/device"
)

// A collector is a machine that loads the kernels of many goroutines as one module. A goroutine that loads a kernel
// waits until there are kernels for a whole module. If all goroutines wait, their kernels become a smaller module.
type collector struct {
	device.Machine
	size int // kernels of a module
	all  func(text string, entries ...string) ([]device.Code, error)

	mu      sync.Mutex
	active  int // goroutines that may load a kernel
	waiting []*wanted

	modules, kernels, most int
	took                   time.Duration // of all modules
}

// wanted is a kernel that a goroutine loads.
type wanted struct {
	text, entry string
	code        device.Code
	err         error
	done        chan struct{}
}

// collect returns a machine that loads m's modules with size kernels each.
func collect(m device.Machine, size int) *collector {
	c := &collector{Machine: m, size: size}
	if many, ok := m.(interface {
		LoadAll(text string, entries ...string) ([]device.Code, error)
	}); ok {
		c.all = many.LoadAll
	} else {
		c.all = func(text string, entries ...string) (list []device.Code, err error) {
			for _, entry := range entries {
				code, err := m.Load(text, entry)
				if err != nil {
					return nil, err
				}
				list = append(list, code)
			}
			return list, nil
		}
	}
	return c
}

// begin counts the caller as a goroutine that may load a kernel. end ends that.
func (c *collector) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.active++
}

func (c *collector) end() {
	c.mu.Lock()
	c.active--
	list := c.complete()
	c.mu.Unlock()
	c.load(list)
}

// complete returns the kernels that wait if they are enough for a module. The caller holds the lock.
func (c *collector) complete() []*wanted {
	if len(c.waiting) < min(c.size, c.active) {
		return nil
	}
	list := c.waiting
	c.waiting = nil
	return list
}

func (c *collector) Load(text, entry string) (device.Code, error) {
	w := &wanted{text: text, entry: entry, done: make(chan struct{})}
	c.mu.Lock()
	c.waiting = append(c.waiting, w)
	list := c.complete()
	c.mu.Unlock()
	c.load(list)
	<-w.done
	return w.code, w.err
}

// load loads kernels as a module, or each as its own if the driver refuses the module.
func (c *collector) load(list []*wanted) {
	if len(list) == 0 {
		return
	}
	begin := time.Now()
	text, entries := merged(list)
	codes, err := c.all(text, entries...)
	for i, w := range list {
		if err == nil {
			w.code = codes[i]
		} else {
			w.code, w.err = c.Machine.Load(w.text, w.entry)
		}
		close(w.done)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.took += time.Since(begin)
	c.modules++
	c.kernels += len(list)
	c.most = max(c.most, len(list))
}

func (c *collector) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return fmt.Sprintf("%d kernels in %d modules, at most %d in one; loading took %v", c.kernels, c.modules, c.most, c.took)
}

// merged returns a module with the functions of all modules of the list, and the names of their entries. Functions
// and declarations with the same text stand once.
func merged(list []*wanted) (text string, entries []string) {
	var out strings.Builder
	written := map[string]bool{}
	for i, w := range list {
		for _, item := range items(w.text) {
			entry := fmt.Sprintf("%s_%d", w.entry, i)
			if rest, ok := strings.CutPrefix(item, ".visible .entry "+w.entry+"("); ok {
				item = ".visible .entry " + entry + "(" + rest
				entries = append(entries, entry)
			}
			if !written[item] {
				written[item] = true
				out.WriteString(item)
			}
		}
	}
	return out.String(), entries
}

// items returns the directives and the functions of a module.
func items(text string) (list []string) {
	from := 0
	function := false
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '\n') + 1
		if n == 0 {
			n = len(text) - i
		}
		line := strings.TrimSpace(text[i : i+n])
		i += n
		function = function || strings.HasPrefix(line, ".func") || strings.HasPrefix(line, ".visible .entry")
		if !function || line == "}" {
			list = append(list, text[from:i])
			from, function = i, false
		}
	}
	return append(list, text[from:])
}

// TestModules runs random kernels that are loaded as modules of several.
func TestModules(t *testing.T) {
	const kernels = 12
	c := collect(machine(t), kernels)
	var wg sync.WaitGroup
	for seed := range uint64(kernels) {
		c.begin()
		wg.Go(func() {
			defer c.end()
			e := executor(c, &left{why: map[string]int{}})
			e.Limit = time.Minute // waiting for the others counts
			if text := checkSeed(seed, 3, time.Minute)(e); text != "" {
				t.Errorf("seed %d: %s", seed, text)
			}
		})
	}
	wg.Wait()
	if c.most < kernels/2 {
		t.Errorf("no module of many kernels: %v", c)
	}
}

// TestMerged checks the text of a module of two.
func TestMerged(t *testing.T) {
	const head = ".version 7.7\n.target sm_70\n\n"
	const f = ".func f()\n{\n\tret;\n}\n"
	entry := func(name string) string { return ".visible .entry " + name + "(.param .b32 x)\n{\n\tcall f;\n}\n" }
	list := []*wanted{{text: head + f + entry("kernel"), entry: "kernel"}, {text: head + f + entry("kernel"), entry: "kernel"}}
	text, entries := merged(list)
	if want := head + f + entry("kernel_0") + entry("kernel_1"); text != want || !slices.Equal(entries, []string{"kernel_0", "kernel_1"}) {
		t.Errorf("entries %q of\n%s", entries, text)
	}
}

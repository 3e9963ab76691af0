package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/purecl/purecl/internal/test/difftest"
)

// hang is the longest time that a worker may take for one kernel.
const hang = 3 * time.Minute

// A tally counts the workers' results.
type tally struct {
	mu                 sync.Mutex
	kernels            int
	runs, machine, bad int
	reached            [difftest.NumReached]int // number of kernels by properties of their code
	cpu                time.Duration            // processor time of workers that have ended
	names              []string
	begun, said        time.Time
}

func (t *tally) line() string {
	took := time.Since(t.begun)
	return fmt.Sprintf("%8s  %d kernels, %.0f a second, %d runs, %.1f %% of them machine code, %d findings",
		took.Round(time.Second), t.kernels, float64(t.kernels)/took.Seconds(), t.runs, 100*float64(t.machine)/float64(max(1, t.runs)), t.bad)
}

// found counts a finding. It returns true if the limit of findings is reached.
func (t *tally) found(name, why string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bad++
	t.names = append(t.names, name)
	fmt.Printf("%8s  %s %s\n", time.Since(t.begun).Round(time.Second), name, why)
	return t.bad >= *most
}

func (t *tally) count(machine, runs int, r difftest.Reached) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.reached {
		t.reached[i] += int(r >> i & 1)
	}
	t.kernels++
	t.machine += machine
	t.runs += runs
	if time.Since(t.said) > 10*time.Second {
		t.said = time.Now()
		fmt.Println(t.line())
	}
}

// lead runs the workers. It returns the exit status, 1 if there are findings.
func lead() int {
	t := &tally{begun: time.Now(), said: time.Now()}
	end := t.begun.Add(*limit)
	var wg sync.WaitGroup
	for w := range *workers {
		wg.Go(func() { drive(t, uint64(w), end) })
	}
	wg.Wait()
	fmt.Println(t.line())
	fmt.Printf("%.0f kernels a second of processor time\n", float64(t.kernels)/t.cpu.Seconds())
	for i, name := range difftest.AllReached.Names() {
		fmt.Printf("%5.1f %% %s\n", 100*float64(t.reached[i])/float64(max(1, t.kernels)), name)
	}
	for _, n := range t.names {
		fmt.Println(n)
	}
	if t.bad > 0 {
		return 1
	}
	return 0
}

// drive runs worker number w, and restarts it after a crash.
func drive(t *tally, w uint64, end time.Time) {
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	next, left := *seed+w, *count/uint64(*workers)
	for time.Until(end) > 0 && (*count == 0 || left > 0) {
		cmd := exec.Command(self, "-child", "-level", *level, "-time", time.Until(end).String(), "-n", fmt.Sprint(left), "-workers", fmt.Sprint(*workers),
			"-seed", fmt.Sprint(next), "-size", fmt.Sprint(*size), "-dir", *dir, "-each", fmt.Sprint(*each), fmt.Sprintf("-wild=%t", *wild))
		cmd.Env = append(os.Environ(), "GOMAXPROCS=2", "GOGC=off", "GOMEMLIMIT=768MiB") // the live heap is small
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			log.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			log.Fatal(err)
		}
		watch := time.AfterFunc(hang, func() { cmd.Process.Kill() })
		at, open, enough := next, false, false
		for s := bufio.NewScanner(out); s.Scan(); {
			word, rest, _ := strings.Cut(s.Text(), " ")
			switch word {
			case "at":
				fmt.Sscan(rest, &at)
				open = true
				watch.Reset(hang)
				continue
			case "ok":
				var machine, runs int
				var reached uint64
				fmt.Sscan(rest, &machine, &runs, &reached)
				t.count(machine, runs, difftest.Reached(reached))
			case "bad":
				t.count(0, 0, 0)
				enough = t.found(rest, "")
			}
			open = false
			left -= min(left, 1)
			if enough {
				cmd.Process.Kill()
				break
			}
		}
		err = cmd.Wait()
		watch.Stop()
		t.mu.Lock()
		t.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		t.mu.Unlock()
		if enough || err == nil {
			return
		}
		if open {
			k := random(at)
			text := stderr.String()
			text = text[:min(len(text), 6000)]
			name := save(fmt.Sprintf("%d-crash.cl", at), fmt.Sprintf("%s// the process ended: %v\n// %s\n%s", k.Header(), err, strings.ReplaceAll(text, "\n", "\n// "), k.Source()))
			left -= min(left, 1)
			if t.found(name, err.Error()) {
				return
			}
		}
		next = at + uint64(*workers)
	}
}

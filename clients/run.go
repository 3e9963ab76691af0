//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// run is one run of all commands of a program on one driver.
type run struct {
	outcomes  []outcome
	dir       string
	wall, cpu time.Duration
}

// runProgram runs a program's commands on each driver and evaluates the last run of each.
func runProgram(ctx context.Context, o options, p program, drivers []driver) (result, error) {
	r := result{Name: p.name, Version: version(p.packages[0]), program: p}
	if names := missing(p.packages); len(names) > 0 {
		r.Skipped = fmt.Sprintf("needs Debian packages: %s; make clients installs them", strings.Join(names, " "))
		return r, nil
	}
	root := filepath.Join(o.work, fileName(p.name))
	vars := map[string]string{"SCRIPTS": "", "DATA": filepath.Join(root, "data"), "SOURCE": filepath.Join(o.work, "source", p.source)}
	var err error
	if vars["SCRIPTS"], err = filepath.Abs("clients/scripts"); err != nil {
		return r, err
	}
	if p.source != "" {
		if err := fetchSource(ctx, p.source, vars["SOURCE"]); err != nil {
			r.Skipped = "source package " + p.source + ": " + err.Error()
			return r, ctx.Err()
		}
	}
	if len(p.prepare) > 0 {
		made, err := runCommands(ctx, p, p.prepare, driver{}, vars, vars["DATA"])
		if err != nil {
			return r, err
		}
		if r.take(made.outcomes, p.known); len(r.Failed) > 0 {
			return r, nil
		}
		r.Passed = 0 // prepare commands are not tests
	}
	if p.files == nil && o.quick {
		drivers = drivers[:1]
	}
	runs := make([][]run, len(drivers))
	for range o.repeat {
		for i, d := range drivers {
			dir := filepath.Join(root, d.name)
			one, err := runCommands(ctx, p, p.commands, d, vars, dir)
			if err != nil {
				return r, err
			}
			runs[i] = append(runs[i], one)
		}
	}
	last := make([]run, len(drivers))
	for i, d := range drivers {
		last[i] = runs[i][o.repeat-1]
		side := &r.Sides[i]
		side.Wall, side.CPU = median(runs[i], func(r run) time.Duration { return r.wall }), median(runs[i], func(r run) time.Duration { return r.cpu })
		if !d.tested {
			side.count(last[i].outcomes)
		}
	}
	outcomes := last[0].outcomes
	if p.files != nil {
		if len(drivers) < 2 {
			r.Skipped = "its files are compared with another driver's: -reference names none"
			return r, nil
		}
		compared, err := p.files.compare(last[0].dir, last[1].dir)
		if err != nil {
			return r, err
		}
		outcomes = append(outcomes, compared...)
	}
	r.take(outcomes, p.known)
	r.Date = time.Now().Format(time.DateOnly)
	return r, nil
}

// median returns the median of a time over runs.
func median(runs []run, of func(run) time.Duration) float64 {
	var times []time.Duration
	for _, r := range runs {
		times = append(times, of(r))
	}
	slices.Sort(times)
	return times[len(times)/2].Seconds()
}

// runCommands runs commands one after the other in an empty directory.
func runCommands(ctx context.Context, p program, commands []command, d driver, vars map[string]string, dir string) (run, error) {
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(filepath.Join(dir, "home"), 0o777)); err != nil {
		return run{}, err
	}
	log, err := os.Create(filepath.Join(dir, "output.txt"))
	if err != nil {
		return run{}, err
	}
	defer log.Close()
	limit := p.limit
	if limit == 0 {
		limit = 30 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	all := run{dir: dir}
	expand := func(s string) string {
		return os.Expand(s, func(name string) string {
			switch value, ok := vars[name]; {
			case ok:
				return value
			case name == "DRIVER":
				return d.vendors
			}
			return "$" + name
		})
	}
	for _, c := range commands {
		var args []string
		for _, a := range c.args {
			args = append(args, expand(a))
		}
		env := slices.Concat(environment(dir, d), p.env, c.env)
		for i := range env {
			env[i] = expand(env[i])
		}
		fmt.Fprintf(log, "$ %s\n", strings.Join(args, " "))
		out, wall, cpu, err := execute(ctx, dir, env, args)
		if err != nil {
			return all, err
		}
		fmt.Fprintln(log, out.text)
		all.wall, all.cpu = all.wall+wall, all.cpu+cpu
		outcomes, err := c.parse(out)
		if err != nil {
			outcomes = append(outcomes, outcome{test: filepath.Base(args[0]), status: failed, detail: err.Error()})
		}
		if ctx.Err() != nil {
			outcomes = append(outcomes, outcome{test: filepath.Base(args[0]), status: failed, detail: fmt.Sprintf("ended after the limit of %v", limit)})
		}
		all.outcomes = append(all.outcomes, outcomes...)
		if ctx.Err() != nil {
			break
		}
	}
	return all, nil
}

// environment returns the environment of a program: one driver, no caches, a home directory of its own.
func environment(dir string, d driver) []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, "PURECL_") && !strings.HasPrefix(name, "OCL_ICD_") && !strings.HasPrefix(name, "POCL_") && !strings.HasPrefix(name, "PYOPENCL_") && !strings.HasPrefix(name, "PYTHON") {
			env = append(env, v)
		}
	}
	home := filepath.Join(dir, "home")
	return append(env, "LC_ALL=C.UTF-8", "HOME="+home, "XDG_CACHE_HOME="+home+"/cache", "XDG_CONFIG_HOME="+home+"/config", "XDG_DATA_HOME="+home+"/data",
		"OCL_ICD_VENDORS="+d.vendors, "PURECL_LOG="+filepath.Join(dir, "driver.log"), "POCL_CACHE_DIR="+home,
		"PYOPENCL_CTX=0", "PYOPENCL_NO_CACHE=1", "PYTHONDONTWRITEBYTECODE=1")
}

// execute runs a command until it or ctx ends, and then kills its process group.
func execute(ctx context.Context, dir string, env, args []string) (output, time.Duration, time.Duration, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	start := time.Now()
	text, err := cmd.CombinedOutput()
	wall := time.Since(start)
	if cmd.ProcessState == nil {
		return output{}, 0, 0, err // the command could not be started
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return output{text: string(text), dir: dir, code: cmd.ProcessState.ExitCode()}, wall, cpu, nil
}

// fileName converts a program's name to a directory name.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
}

// tail returns the last n lines of a text.
func tail(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

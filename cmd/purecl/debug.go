package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/purecl/purecl/internal/debug"
	"github.com/purecl/purecl/internal/debug/adapter"
	"github.com/purecl/purecl/internal/debug/console"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/run/program"
)

type debugCmd struct {
	File string `arg:"" optional:"" help:"Source file. Not with --dap and --listen, where the editor names it."`
	launchChoice
	Fault   string   `placeholder:"MODE" enum:"strict,robust" default:"strict" help:"What becomes of an access outside of its object, as for purecl run."`
	Command []string `short:"x" sep:"none" placeholder:"COMMAND" help:"Commands to execute first, in order."`
	History int64    `placeholder:"MIB" default:"256" help:"Memory for stepping back, in MiB; 0: no stepping back."`
	DAP     bool     `name:"dap" help:"Serve an editor: the Debug Adapter Protocol on standard input and output."`
	Listen  string   `placeholder:"ADDRESS" help:"Serve editors on a TCP port of this machine, such as 127.0.0.1:4711; they start the debugging."`
	buildFlags
}

func (*debugCmd) Help() string {
	return help(
		"Takes the kernel, range, arguments and build options of purecl run. The kernel runs on the",
		"reference executor, unoptimised, with every check. In the terminal, help lists the commands;",
		"standard input that is not a terminal is a script of commands. Ctrl-C pauses the kernel.",
		"docs/debugger.md shows a session and how to set up VS Code and Neovim.",
		"",
		argumentsHelp,
		"",
		"Examples:",
		"  purecl debug saxpy.cl -a 'zeros(16)' -a 'range(16)' -a 2.5",
		"  purecl debug scan.cl -k scan -g 1024 -l 256 -a data=x.npy -a 'tmp=local(1024)' -x 'break scan if get_global_id(0) == 77' -x run",
	)
}

func (c *debugCmd) Run(ctx context.Context, o *output) error {
	if c.DAP || c.Listen != "" {
		if c.File != "" {
			return usagef("--dap and --listen take no source file: the editor's launch request names it")
		}
		return c.serve(ctx)
	}
	if c.File == "" {
		return usagef("expected \"<file>\"")
	}
	cfg, err := c.config(o, o.out)
	if err != nil {
		return err
	}
	s, err := debug.New(cfg)
	if err != nil {
		return usagef("kernel %s: %v", cfg.Kernel, err)
	}
	defer s.Close()
	return c.terminal(o, s)
}

// config builds the program for a debugger and binds its arguments.
func (c *debugCmd) config(o *output, stdout io.Writer) (cfg debug.Config, err error) {
	l := launchFlags{File: c.File, launchChoice: c.launchChoice}
	k, args, source, err := l.prepare(&c.buildFlags)
	for _, d := range source {
		o.show(d)
	}
	if err != nil {
		return cfg, err
	}
	if k.device.Info().Kind != "cpu" {
		return cfg, usagef("--device %s: the debugger runs kernels on the processor (--device cpu)", k.device.ID)
	}
	opts, err := c.buildFlags.parse()
	if err != nil {
		return cfg, err
	}
	m, err := program.Debug(k.module.Units, opts)
	if err != nil {
		return cfg, err
	}
	cfg = debug.Config{Module: m, Kernel: l.Kernel, Faults: faultModes[c.Fault], Output: stdout, History: c.History << 20}
	if c.History <= 0 {
		cfg.History = -1
	}
	cfg.Range = launch.Range{Global: l.Global.unsigned(), Local: l.Local.unsigned(), Offset: l.Offset.unsigned(), NonUniform: k.module.NonUniform}
	for _, a := range args {
		cfg.Args = append(cfg.Args, debugArg(a))
	}
	return cfg, nil
}

// debugArg converts an argument for a launch on the processor.
func debugArg(a *arg) launch.Arg {
	if a.Info.IsMemory() {
		return launch.Memory(&launch.Buffer{Name: a.Info.Name, Data: a.Data.Bytes})
	}
	switch b := &a.Bound; b.Kind {
	case exec.LocalArg:
		return launch.Local(b.Size)
	case exec.ImageArg:
		return launch.Picture(&launch.Image{Image: b.Image, Name: a.Info.Name, ReadOnly: b.ReadOnly})
	case exec.SamplerArg:
		return launch.Sampler(b.Sampler)
	default:
		return launch.Value(b.Bytes)
	}
}

// terminal executes the commands of the command line, then those of standard input.
func (c *debugCmd) terminal(o *output, s *debug.Session) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	go func() {
		for range interrupts {
			s.Pause()
		}
	}()
	ui := &console.Console{Session: s, Out: o.out, Color: colors()}
	for _, line := range c.Command {
		if !ui.Do(line) {
			return nil
		}
	}
	if !isTerminal(os.Stdin) {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() && ui.Do(in.Text()) {
		}
		return in.Err()
	}
	if len(c.Command) == 0 {
		fmt.Fprintf(o.out, "PureCL: kernel %s. \"help\" lists the commands, \"run\" begins.\n", s.Kernel())
	}
	tty := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{os.Stdin, os.Stdout}, "(purecl) ")
	tty.AutoCompleteCallback = completeCommand
	for {
		line, err := readLine(tty)
		if errors.Is(err, io.EOF) { // Ctrl-D, or Ctrl-C at the prompt
			return nil
		}
		if err != nil {
			return err
		}
		if !ui.Do(line) {
			return nil
		}
	}
}

// readLine reads a line in the terminal's raw mode. Raw mode ends with the line, so that Ctrl-C interrupts
// commands.
func readLine(tty *term.Terminal) (string, error) {
	fd := int(os.Stdin.Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return "", err
	}
	if width, height, err := term.GetSize(fd); err == nil {
		_ = tty.SetSize(width, height)
	}
	line, err := tty.ReadLine()
	return line, errors.Join(err, term.Restore(fd, state))
}

// completeCommand completes the name of a command on the tab key.
func completeCommand(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' || pos != len(line) || line == "" {
		return "", 0, false
	}
	for _, n := range console.Names() {
		if strings.HasPrefix(n, line) {
			return n + " ", len(n) + 1, true
		}
	}
	return "", 0, false
}

// serve runs the debug adapter for editors.
func (c *debugCmd) serve(ctx context.Context) error {
	a := &adapter.Server{Load: loadLaunch}
	if c.Listen == "" {
		return a.Serve(ctx, os.Stdin, os.Stdout)
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usagef("--listen %s: expected an address of this machine with a port, such as 127.0.0.1:4711", c.Listen)
	}
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return usagef("--listen %s: %v", c.Listen, err)
	}
	defer l.Close()
	fmt.Fprintf(os.Stderr, "purecl: debug adapter on %s\n", l.Addr())
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	for {
		conn, err := l.Accept()
		if err != nil {
			return ctx.Err()
		}
		if err := a.Serve(ctx, conn, conn); err != nil {
			fmt.Fprintln(os.Stderr, "purecl: "+err.Error())
		}
		conn.Close()
	}
}

// A launchRequest is an editor's launch request: the command line of purecl run as fields.
type launchRequest struct {
	Program   string   `json:"program"`
	Cwd       string   `json:"cwd"`
	Kernel    string   `json:"kernel"`
	Global    string   `json:"global"`
	Local     string   `json:"local"`
	Offset    string   `json:"offset"`
	Arguments []string `json:"arguments"`
	Options   []string `json:"options"`
	Args      []string `json:"args"` // further arguments of the command line
	Fault     string   `json:"fault"`
}

// words returns the request as arguments of purecl debug.
func (r *launchRequest) words() []string {
	out := []string{"debug", r.Program}
	for _, f := range [][2]string{{"-k", r.Kernel}, {"-g", r.Global}, {"-l", r.Local}, {"--offset", r.Offset}, {"--fault", r.Fault}} {
		if f[1] != "" {
			out = append(out, f[0], f[1])
		}
	}
	for _, a := range r.Arguments {
		out = append(out, "-a", a)
	}
	return append(append(out, r.Options...), r.Args...)
}

// loadLaunch builds the program of an editor's launch request.
func loadLaunch(request json.RawMessage, stdout io.Writer) (cfg debug.Config, err error) {
	var r launchRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return cfg, fmt.Errorf("the launch request: %w", err)
	}
	if r.Program == "" {
		return cfg, errors.New("the launch request names no \"program\": the source file")
	}
	if r.Cwd != "" {
		if err := os.Chdir(r.Cwd); err != nil {
			return cfg, err
		}
	}
	if wd, err := os.Getwd(); err == nil { // shorten names as on the command line
		if rel, err := filepath.Rel(wd, r.Program); err == nil && filepath.IsLocal(rel) {
			r.Program = rel
		}
	}
	var cli commands
	parser, err := newParser(&cli)
	if err != nil {
		return cfg, err
	}
	words, err := arrange(parser.Model, r.words())
	if err == nil {
		_, err = parser.Parse(words)
	}
	if err != nil {
		return cfg, err
	}
	var text strings.Builder
	cfg, err = cli.Debug.config(&output{out: &text, err: &text}, stdout)
	if err != nil && text.Len() > 0 {
		err = errors.New(strings.TrimSpace(text.String() + "\n" + err.Error()))
	}
	return cfg, err
}

// colors reports whether output to the terminal is coloured: on a terminal, or if CLICOLOR_FORCE is set, but never
// if NO_COLOR is set (https://bixense.com/clicolors).
func colors() bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	force := os.Getenv("CLICOLOR_FORCE")
	return force != "" && force != "0" || isTerminal(os.Stdin) && isTerminal(os.Stdout)
}

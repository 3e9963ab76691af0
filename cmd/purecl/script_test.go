package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/purecl/purecl/internal/gpu/device"
	runexec "github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/gputest"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/mistakes")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"purecl": func() { os.Exit(run(os.Args[1:])) },
		"purecl-sim": func() { // with a simulated GPU
			runexec.Register("gpu", func() ([]runexec.Device, error) { return []runexec.Device{device.New(gputest.Sim())}, nil })
			os.Exit(run(os.Args[1:]))
		},
	})
}

// TestScripts runs the scripts of testdata/script, which use the command as a user does.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Cmds: scriptCommands})
}

// TestMistakes runs the scripts of testdata/mistakes: users' mistakes with the complete messages. Each message must
// make sense to a reader who does not know PureCL.
func TestMistakes(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/mistakes", Cmds: scriptCommands, UpdateScripts: *update})
}

// scriptCommands are additional commands of scripts: "fails STATUS COMMAND…" runs a command that must exit with
// this status.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"fails": func(ts *testscript.TestScript, neg bool, args []string) {
		want, err := strconv.Atoi(args[0])
		ts.Check(err)
		got := 0
		var exit *exec.ExitError
		if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
			got = exit.ExitCode()
		} else {
			ts.Check(err)
		}
		if got != want {
			ts.Fatalf("exit status %d, want %d", got, want)
		}
	},
}

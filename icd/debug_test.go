//go:build cgo && linux

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-dap"
)

// TestDebug debugs the second launch of a kernel in a Python program, with a client that has the token. Then the
// program completes.
func TestDebug(t *testing.T) {
	cmd := command([]string{"PURECL_DEBUG=add:2"}, "/usr/bin/python3", "-W", "ignore", "testdata/debugged.py")
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	line, err := bufio.NewReader(errs).ReadString('\n')
	m := regexp.MustCompile(`kernel add waits for a debugger on 127\.0\.0\.1 port (\d+), token (\S+)\n`).FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("no port and token: %q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, errs) }()
	dial := func() (net.Conn, func(command, args string) dap.Message) {
		conn, err := net.Dial("tcp", "127.0.0.1:"+m[1])
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		r, seq := bufio.NewReader(conn), 0
		return conn, func(command, args string) dap.Message {
			seq++
			body, _ := json.Marshal(map[string]any{"seq": seq, "type": "request", "command": command, "arguments": json.RawMessage(args)})
			if err := dap.WriteBaseMessage(conn, body); err != nil {
				t.Fatal(err)
			}
			for {
				x, err := dap.ReadProtocolMessage(r)
				if err != nil {
					t.Fatalf("%s: %v", command, err)
				}
				if p, ok := x.(dap.ResponseMessage); ok && p.GetResponse().RequestSeq == seq {
					return x
				}
			}
		}
	}
	conn, ask := dial()
	ask("initialize", `{}`)
	if r := ask("attach", `{"token":"a guess"}`).(dap.ResponseMessage).GetResponse(); r.Success {
		t.Error("a client without the token may debug")
	}
	conn.Close()
	conn, ask = dial()
	defer conn.Close()
	ask("initialize", `{}`)
	if r := ask("attach", `{"token":"`+m[2]+`"}`).(dap.ResponseMessage).GetResponse(); !r.Success {
		t.Fatal(r.Message)
	}
	ask("configurationDone", `{}`)
	if v, ok := ask("evaluate", `{"expression":"a[3] + n"}`).(*dap.EvaluateResponse); !ok || v.Body.Result != "14" {
		t.Errorf("a[3] + n is %+v, want 14", v)
	}
	ask("next", `{"threadId":1}`)
	frames := ask("stackTrace", `{"threadId":1}`).(*dap.StackTraceResponse).Body.StackFrames
	if len(frames) != 1 || frames[0].Name != "add" || frames[0].Source.SourceReference == 0 {
		t.Fatalf("frames: %+v", frames)
	}
	if s, ok := ask("source", `{"sourceReference":1}`).(*dap.SourceResponse); !ok || !strings.Contains(s.Body.Content, "int sum = a[i] + n;") {
		t.Errorf("source: %+v", s)
	}
	ask("disconnect", `{}`)
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "the host is done") {
		t.Errorf("the host ends with %v: %s", err, out.String())
	}
}

package protocol

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// A Message is a request (Method and ID), a notification (Method) or a response (ID).
type Message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Failure        `json:"error,omitempty"`
}

// A Failure is the error of a response.
type Failure struct {
	Code    int32  `json:"code"`
	Message string `json:"message"`
}

func (e *Failure) Error() string { return e.Message }

// MaxMessage is the greatest size of a message in bytes.
const MaxMessage = 256 << 20

// maxHeader bounds the header of a message.
const maxHeader = 4 << 10

// A Conn reads and writes messages with the protocol's header, "Content-Length: N". Read is for one
// goroutine; Write is safe for concurrent use.
type Conn struct {
	in  *bufio.Reader
	mu  sync.Mutex
	out io.Writer
}

// NewConn returns a connection over two streams.
func NewConn(in io.Reader, out io.Writer) *Conn {
	return &Conn{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

// A FramingError says what is wrong with a stream that does not carry messages of the protocol.
type FramingError struct{ Reason string }

func (e *FramingError) Error() string { return e.Reason }

// Read returns the next message. The error is io.EOF at the end of the stream, a *FramingError where
// it cannot be read on, or a *Failure for a message that is no JSON-RPC, after which it can.
func (c *Conn) Read() (*Message, error) {
	length := -1
	for total := 0; ; {
		line, err := c.in.ReadSlice('\n')
		total += len(line)
		switch {
		case err == io.EOF && total == 0 && length < 0:
			return nil, io.EOF
		case err == io.EOF:
			return nil, &FramingError{"the stream ends inside a message's header"}
		case errors.Is(err, bufio.ErrBufferFull) || total > maxHeader:
			return nil, &FramingError{fmt.Sprintf("a message's header is longer than %d bytes; expected \"Content-Length: N\" and an empty line", maxHeader)}
		case err != nil:
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, &FramingError{fmt.Sprintf("expected a header line such as \"Content-Length: 123\", found %q", clip(text))}
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 {
				return nil, &FramingError{fmt.Sprintf("Content-Length is %q; expected a number of bytes", clip(strings.TrimSpace(value)))}
			}
		}
	}
	if length < 0 {
		return nil, &FramingError{"a message has no Content-Length"}
	}
	if length > MaxMessage {
		return nil, &FramingError{fmt.Sprintf("a message of %d bytes is larger than %d MiB", length, MaxMessage>>20)}
	}
	// A false length must not reserve memory: the buffer grows with the bytes that arrive.
	body, err := io.ReadAll(io.LimitReader(c.in, int64(length)))
	if err != nil {
		return nil, err
	}
	if len(body) < length {
		return nil, &FramingError{fmt.Sprintf("the stream ends after %d of a message's %d bytes", len(body), length)}
	}
	var m Message
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, &Failure{Code: int32(ErrorCodesParseError), Message: "a message is no JSON-RPC: " + err.Error()}
	}
	return &m, nil
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// Write writes a message.
func (c *Conn) Write(m *Message) error {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n", len(body)); err != nil {
		return err
	}
	_, err = c.out.Write(body)
	return err
}

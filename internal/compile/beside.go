package compile

import (
	"runtime"
	"runtime/debug"

	"github.com/purecl/purecl/internal/diag"
	"github.com/purecl/purecl/internal/syntax"
)

// The parser is done with a function when it is at its end, so the checker need not wait for
// the file's. What both report is as if they had followed each other: the checker's findings
// come after all of the parser's, and are nobody's where the parser found an error.

// leastBeside is the number of tokens from which on two goroutines are worth while: one takes
// about 100 ns a token, to begin another and to wait for it some µs.
const leastBeside = 2048

// worthTwo reports whether to check declarations while others are parsed.
func (c *compilation) worthTwo() bool {
	return c.tokens >= leastBeside && runtime.GOMAXPROCS(0) > 1 && !c.rep.Failed() && (c.opts.Until == All || c.opts.Until >= Check)
}

// A parserPanic is a panic of the parser's goroutine.
type parserPanic struct {
	cause any
	stack []byte
}

// parseBeside parses on a goroutine of its own and checks here.
func (c *compilation) parseBeside(toks []syntax.Token) error {
	src, o := c.res.Source, &c.opts.Source
	c.begin(Parse)
	stream := c.memory.tokens.Stream(src, toks, o, c.rep)
	parsed := make(chan []syntax.Decl, 16)
	var failure *parserPanic
	go func() {
		defer close(parsed)
		defer func() {
			if r := recover(); r != nil {
				failure = &parserPanic{r, debug.Stack()}
			}
		}()
		stream.Run(func(list []syntax.Decl) { parsed <- list })
	}()
	wait := func() { // for the parser's end
		for range parsed {
		}
	}
	defer wait() // also where the checker panics

	rep := diag.NewReporter(src, c.opts.Diag)
	prog := c.memory.tree.CheckDecls(stream.Names(), func(yield func(syntax.Decl) bool) {
		for list := range parsed {
			c.clock.Begin(Check)
			for _, d := range list {
				if !yield(d) {
					return
				}
			}
		}
	}, src, o, rep)
	wait()
	if failure != nil {
		panic(failure)
	}
	if err := c.end(); err != nil { // of the parser
		return err
	}
	c.phase = Check
	c.rep.Append(rep)
	c.res.Program = prog
	return nil
}

package cuda

import (
	"bytes"
	"unsafe"
)

// A single is a graph of one kernel. The driver starts such a graph sooner than it launches the kernel, even if the
// parameter is set first. To set another kernel takes as long as a launch, so that each kernel has a graph of its own.
type single struct {
	graph
	last   grid   // what the graph's kernel was set to
	params []byte // the same of its parameter
}

// singles are a stream's graphs of one kernel.
type singles map[*code]*single

const (
	// singleAfter is the number of launches of a kernel before its graph is made, which takes as long as several launches.
	singleAfter = 16
	// maxSingles is the number of graphs. Kernels beyond it are launched without.
	maxSingles = 32
)

// start starts a launch with its kernel's graph. It reports whether it did: otherwise nothing has started.
func (s *singles) start(q *stream, l *grid, params []byte) bool {
	x := (*s)[l.code]
	if x == nil {
		if x = s.add(q, l.code); x == nil {
			return false
		}
	}
	return x.ready(q, 1, singleAfter, q.batch.describe(l, &params[0])) && x.start(q, l, params)
}

// add adds a kernel, or returns nil if there are too many.
func (s *singles) add(q *stream, c *code) *single {
	if len(*s) == maxSingles {
		s.dropClosed(q)
	}
	if len(*s) == maxSingles {
		return nil
	}
	if *s == nil {
		*s = singles{}
	}
	x := &single{}
	(*s)[c] = x
	return x
}

func (s *singles) dropClosed(q *stream) {
	for c, x := range *s {
		if c.closed.Load() {
			x.close(q)
			delete(*s, c)
		}
	}
}

func (s *singles) close(q *stream) {
	for _, x := range *s {
		x.close(q)
	}
	*s = nil
}

// start starts the graph for a launch, which batch.node describes. A kernel is set within the current context.
func (x *single) start(q *stream, l *grid, params []byte) bool {
	m := q.m
	args := append(q.args[:0], x.exec, q.s)
	set := x.last != *l || !bytes.Equal(x.params, params)
	if !set && !m.needsCurrent.Load() {
		code, ok := m.tryStream(q.generation, cuGraphLaunch, args)
		return ok && code == 0
	}
	if m.enter(q.generation) != nil {
		return false
	}
	defer m.leave()
	if set {
		x.last = grid{} // until the driver has it
		code := m.d.invoke(cuGraphExecKernelNodeSetParams, append(args[:1], x.nodes[0], uintptr(unsafe.Pointer(&q.batch.node))))
		if m.sees(code); code != 0 {
			return false
		}
		x.last, x.params = *l, append(x.params[:0], params...)
		args = append(args[:1], q.s)
	}
	code := m.d.invoke(cuGraphLaunch, args)
	m.sees(code)
	return code == 0
}

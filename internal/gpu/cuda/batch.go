package cuda

import (
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/gpu/device"
)

// A batch starts several launches of a stream with one call of the driver. It holds launches that others follow at
// once. Graphs of some sizes, chains of kernels, are made once; for each batch their kernels and parameters are
// replaced, which costs a tenth of a launch.
type batch struct {
	params [1]unsafe.Pointer // of the present call
	node   nodeParams        // of the present call
	held   []heldLaunch
	room   []byte // the parameters of the held launches
	graphs [len(graphSizes)]graph
	failed atomic.Pointer[error] // the first error of a held launch that no wait has returned
}

// A heldLaunch is a grid whose parameter is a part of batch.room.
type heldLaunch struct {
	grid
	from, to int // the part
}

// A grid is a launch but for its parameter.
type grid struct {
	code            *code
	blocks, threads [3]uint32
	shared          uint32
}

func newGrid(c *code, g *device.Grid) grid {
	return grid{code: c, blocks: g.Blocks, threads: g.Threads, shared: uint32(g.Shared)}
}

// graphSizes are the numbers of kernels of the graphs. A graph takes as long to make as several launches of its kernels:
// it is made for the graphAfter-th batch that can use it.
var graphSizes = [...]int{32, 16, 8, 4}

const (
	maxHeld    = 32
	graphAfter = 3
)

// A graph is an instantiated graph.
type graph struct {
	exec, source uintptr
	nodes        []uintptr
	wanted       int  // batches that could have used it
	unusable     bool // the driver did not make it
}

// nodeParams is CUDA_KERNEL_NODE_PARAMS_v2.
type nodeParams struct {
	fn              uintptr
	blocks, threads [3]uint32
	shared          uint32
	params, extra   unsafe.Pointer
	kern, ctx       uintptr
}

// paramsAlign is the alignment of parameters.
const paramsAlign = 16

// hold adds a launch, which starts later.
func (b *batch) hold(c *code, g *device.Grid) {
	from := len(b.room)
	b.room = append(b.room, g.Params...)
	b.held = append(b.held, heldLaunch{newGrid(c, g), from, len(b.room)})
	b.room = append(b.room, make([]byte, -len(b.room)&(paramsAlign-1))...)
}

// start starts the launches that are held.
func (b *batch) start(q *stream) {
	if len(b.held) == 0 {
		return
	}
	list := b.held
	for i := range b.graphs {
		for g := &b.graphs[i]; len(list) >= graphSizes[i] && g.ready(q, graphSizes[i], graphAfter, b.fill(&list[0])); {
			if !b.run(q, g, list) {
				break
			}
			list = list[len(g.nodes):]
		}
	}
	for i := range list {
		if err := q.launch(&list[i].grid, b.room[list[i].from:list[i].to]); err != nil {
			b.failed.CompareAndSwap(nil, &err)
		}
	}
	b.held, b.room = b.held[:0], b.room[:0]
}

// late returns the error of a held launch, once.
func (b *batch) late() error {
	if failed := b.failed.Swap(nil); failed != nil {
		return *failed
	}
	return nil
}

// fill returns the description of a launch, which is valid until the next call.
func (b *batch) fill(l *heldLaunch) *nodeParams {
	return b.describe(&l.grid, &b.room[l.from])
}

// describe is fill for a grid with this parameter.
func (b *batch) describe(l *grid, params *byte) *nodeParams {
	b.params[0] = unsafe.Pointer(params)
	b.node = nodeParams{fn: l.code.fn, blocks: l.blocks, threads: l.threads, shared: l.shared, params: unsafe.Pointer(&b.params)}
	return &b.node
}

// run starts as many of the launches as the graph has kernels. It reports whether it did: otherwise none has started.
// Parameters of a graph's kernel, unlike those of a launch, are read with the context that is current.
func (b *batch) run(q *stream, g *graph, list []heldLaunch) bool {
	if q.m.enter(q.generation) != nil {
		return false
	}
	defer q.m.leave()
	for i, node := range g.nodes {
		if code := q.m.d.invoke(cuGraphExecKernelNodeSetParams, []uintptr{g.exec, node, uintptr(unsafe.Pointer(b.fill(&list[i])))}); code != 0 {
			q.m.sees(code)
			return false
		}
	}
	code := q.m.d.invoke(cuGraphLaunch, []uintptr{g.exec, q.s})
	q.m.sees(code)
	return code == 0
}

// ready reports whether the graph of n kernels can be used. The call number after makes the graph; node describes any kernel.
func (g *graph) ready(q *stream, n, after int, node *nodeParams) bool {
	if g.exec != 0 || g.unusable {
		return g.exec != 0
	}
	if g.wanted++; g.wanted < after {
		return false
	}
	if !q.m.d.has(cuGraphCreate, cuGraphDestroy) || g.make(q, n, node) != nil {
		g.unusable = true
		g.close(q)
	}
	return g.exec != 0
}

func (g *graph) make(q *stream, n int, node *nodeParams) error {
	source, exec := new(uintptr), new(uintptr)
	if err := q.call(cuGraphCreate, uintptr(unsafe.Pointer(source)), 0); err != nil {
		return err
	}
	g.source = *source
	nodes := make([]uintptr, n)
	for i := range nodes {
		var before *uintptr // the kernel that this one follows
		count := 0
		if i > 0 {
			before, count = &nodes[i-1], 1
		}
		if err := q.call(cuGraphAddKernelNode, uintptr(unsafe.Pointer(&nodes[i])), g.source, uintptr(unsafe.Pointer(before)), uintptr(count), uintptr(unsafe.Pointer(node))); err != nil {
			return err
		}
	}
	if err := q.call(cuGraphInstantiate, uintptr(unsafe.Pointer(exec)), g.source, 0); err != nil {
		return err
	}
	g.exec, g.nodes = *exec, nodes
	return nil
}

func (g *graph) close(q *stream) {
	if g.exec != 0 {
		q.call(cuGraphExecDestroy, g.exec)
	}
	if g.source != 0 {
		q.call(cuGraphDestroy, g.source)
	}
	*g = graph{unusable: g.unusable}
}

// close destroys the graphs.
func (b *batch) close(q *stream) {
	for i := range b.graphs {
		b.graphs[i].close(q)
	}
}

package device

import "unsafe"

// hostImages are a queue's copies of images in the host's memory. The host must not change such memory before it has
// waited for the queue: until then launches with the same image share its copy, which no work but the queue's own
// makes stale.
type hostImages struct {
	generation int
	list       []hostImage // of launches since the last wait
	spare      []hostImage // memory of launches before it
}

// A hostImage is an image's memory on the device.
type hostImage struct {
	data []byte // the image in the host's memory; nil: spare
	addr uint64
	size int
	same bool // its contents are data's
}

// maxSpare is the number of bytes that a queue keeps for the images of later launches.
const maxSpare = 64 << 20

// hostImage returns the address of a copy of an image.
func (q *queue) hostImage(data []byte) (uint64, error) {
	h := &q.images
	if h.generation != q.q.generation {
		*h = hostImages{generation: q.q.generation}
	}
	for i := range h.list {
		if x := &h.list[i]; x.size == len(data) && &x.data[0] == &data[0] {
			return x.addr, q.upload(x)
		}
	}
	x := hostImage{data: data, size: len(data)}
	for i := range h.spare {
		if h.spare[i].size == x.size {
			x.addr = h.spare[i].addr
			h.spare = append(h.spare[:i], h.spare[i+1:]...)
			break
		}
	}
	if x.addr == 0 {
		var err error
		if x.addr, err = q.d.m.Alloc(x.size); err != nil && len(h.spare) > 0 {
			q.freeImages(h.spare)
			h.spare = nil
			x.addr, err = q.d.m.Alloc(x.size)
		}
		if err != nil {
			return 0, err
		}
	}
	h.list = append(h.list, x)
	return x.addr, q.upload(&h.list[len(h.list)-1])
}

// upload makes a copy's contents those of the host's memory.
func (q *queue) upload(x *hostImage) error {
	if x.same {
		return nil
	}
	err := q.q.write(x.addr, x.data)
	x.same = err == nil
	return err
}

// changed marks the copies of memory that the queue's work sets, except the one at addr, from which it is set.
func (h *hostImages) changed(mem []byte, addr uint64) {
	for i := range h.list {
		if x := &h.list[i]; x.addr != addr && overlap(x.data, mem) {
			x.same = false
		}
	}
}

// stale marks all copies: the host may change its memory.
func (h *hostImages) stale() {
	for i := range h.list {
		h.list[i].same = false
	}
}

// waited ends the use of the copies: the host may change its memory. Memory that no launch has used since the wait before
// is freed.
func (q *queue) waited() {
	h := &q.images
	if len(h.list) == 0 && len(h.spare) == 0 {
		return
	}
	q.freeImages(h.spare)
	h.spare = h.spare[:0]
	total := 0
	for _, x := range h.list {
		if total += x.size; total > maxSpare {
			q.freeImages([]hostImage{x})
			total -= x.size
		} else {
			h.spare = append(h.spare, hostImage{addr: x.addr, size: x.size})
		}
	}
	clear(h.list)
	h.list = h.list[:0]
}

func (q *queue) freeImages(list []hostImage) {
	for _, x := range list {
		q.d.m.Free(x.addr, q.images.generation)
	}
}

// overlap reports whether two ranges of memory share a byte.
func overlap(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	x, y := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return x < y+uintptr(len(b)) && y < x+uintptr(len(a))
}

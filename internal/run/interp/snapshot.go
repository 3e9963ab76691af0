package interp

import (
	"bytes"
	"slices"
)

// A Snapshot is the state of a Stepper, without memory shared by work-groups.
type Snapshot struct {
	group    int64
	on       bool
	mixed    bool
	clusters []cluster
	ended    []position
	faulted  []bool
	inside   []int32

	worker                          worker // its scalars
	store                           []uint64
	priv, privInit, local, localIni []byte
	groups                          []uint64
	items                           []uint32
}

// Size returns the approximate size of the snapshot in bytes.
func (n *Snapshot) Size() int64 {
	return int64(len(n.store)*8+len(n.priv)+len(n.privInit)+len(n.local)+len(n.localIni)+len(n.inside)*32) + 1024
}

// Snapshot copies the state.
func (s *Stepper) Snapshot() *Snapshot {
	x := s.x
	n := &Snapshot{group: s.group, on: s.on, mixed: s.mixed, clusters: copyClusters(s.clusters), ended: slices.Clone(s.ended), faulted: slices.Clone(s.faulted), inside: slices.Clone(s.statement),
		worker: *x, store: slices.Clone(x.store), priv: bytes.Clone(x.priv), privInit: bytes.Clone(x.privInit), local: bytes.Clone(x.local), localIni: bytes.Clone(x.localInit),
		groups: slices.Clone(x.groups), items: slices.Clone(x.items)}
	n.worker.findings = x.findings.Clone()
	n.worker.copies = copyCopies(x.copies)
	n.worker.gone = slices.Clone(x.gone)
	n.worker.stops.lanes = slices.Clone(x.stops.lanes)
	n.worker.splits = copySplits(x.splits)
	return n
}

// Restore sets the state to that of the snapshot, which stays valid.
func (s *Stepper) Restore(n *Snapshot) {
	x := s.x
	s.group, s.on, s.mixed, s.clusters = n.group, n.on, n.mixed, copyClusters(n.clusters)
	copy(s.ended, n.ended)
	copy(s.faulted, n.faulted)
	copy(s.statement, n.inside)
	s.Printed = s.Printed[:0]
	copy(x.store, n.store)
	copy(x.priv, n.priv)
	copy(x.privInit, n.privInit)
	copy(x.local, n.local)
	copy(x.localInit, n.localIni)
	copy(x.groups, n.groups)
	copy(x.items, n.items)
	copy(x.gone, n.worker.gone)
	w := &n.worker
	x.n, x.live, x.group0, x.item0 = w.n, w.live, w.group0, w.item0
	x.base, x.notFlags, x.modifies, x.events, x.splitSeq, x.batch, x.aborted = w.base, w.notFlags, w.modifies, w.events, w.splitSeq, w.batch, w.aborted
	x.findings, x.copies, x.splits = w.findings.Clone(), copyCopies(w.copies), copySplits(w.splits)
	x.stops = w.stops
	x.stops.lanes = slices.Clone(w.stops.lanes)
	x.text.Drain()
}

func copyClusters(list []cluster) []cluster {
	out := slices.Clone(list)
	for i := range out {
		out[i].act = slices.Clone(out[i].act)
	}
	return out
}

func copyCopies(list []*asyncCopy) []*asyncCopy {
	out := make([]*asyncCopy, len(list))
	for i, c := range list {
		d := *c
		out[i] = &d
	}
	return out
}

func copySplits(m map[*block]*split) map[*block]*split {
	if m == nil {
		return nil
	}
	out := make(map[*block]*split, len(m))
	for b, s := range m {
		d := *s
		d.sides = slices.Clone(s.sides)
		for i := range d.sides {
			d.sides[i] = slices.Clone(d.sides[i])
		}
		out[b] = &d
	}
	return out
}

// A Shared is memory shared by work-groups: an object that kernels may write.
type Shared struct {
	Object uint32
	Data   []byte
}

// SharedMemory returns the memory that a Snapshot does not contain.
func (s *Stepper) SharedMemory() (list []Shared) {
	for i := range s.x.objs {
		if o := &s.x.objs[i]; !o.private && !o.local && !o.readOnly && len(o.bytes) > 0 {
			list = append(list, Shared{uint32(i), o.bytes})
		}
	}
	return list
}

package lsp

import (
	"context"
	"testing"
)

// TestRenew checks that a copy of a document replaces that version only, never a later one, and that a replaced version
// is cancelled.
func TestRenew(t *testing.T) {
	w := &workspace{docsCtx: context.Background(), docs: open{list: map[string]*document{}}}
	add := func(version int32) *document {
		d := w.newDocument("file:///k.cl", "opencl", version, nil)
		w.docs.put(d.uri, d)
		return d
	}
	first := add(1)
	again := w.docs.renew(first)
	if again == nil || w.docs.get(first.uri) != again || first.ctx.Err() == nil || again.ctx.Err() != nil {
		t.Errorf("the open version is not replaced by its copy")
	}
	second := add(2)
	if w.docs.renew(again) != nil || w.docs.get(second.uri) != second || second.ctx.Err() != nil {
		t.Errorf("a copy of version 1 replaces version 2")
	}
	w.docs.put(second.uri, nil)
	if w.docs.renew(second) != nil || w.docs.get(second.uri) != nil {
		t.Errorf("a copy of a closed document is open")
	}
}

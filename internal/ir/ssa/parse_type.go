package ssa

import (
	"strconv"
)

// kinds by name.
var kindByName = func() map[string]Kind {
	m := map[string]Kind{}
	for k := Bool; k <= Void; k++ {
		if k.class() != 0 || k == Void {
			m[k.String()] = k
		}
	}
	return m
}()

// typeOf parses a type's name.
func typeOf(s string) (Type, bool) {
	if k, ok := kindByName[s]; ok {
		if k == Void {
			return TVoid, true
		}
		return Scalar(k), true
	}
	if len(s) < 3 || s[0] != 'v' {
		return Type{}, false
	}
	n := 1
	if len(s) > 3 && s[2] >= '0' && s[2] <= '9' {
		n = 2
	}
	lanes, err := strconv.ParseUint(s[1:1+n], 10, 8)
	k, ok := kindByName[s[1+n:]]
	t := Type{k, uint8(lanes)}
	return t, err == nil && ok && s[1] != '0' && lanes > 1 && t.Valid()
}

func (p *parser) typ() Type {
	t := p.take()
	ty, ok := typeOf(t.text)
	if !ok {
		p.fail(t.off, "expected a type, found %q", t.text)
	}
	return ty
}

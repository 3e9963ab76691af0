package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// dims are sizes in one to three dimensions, written as "1024", "640x480" or "640,480".
type dims []int

// Decode parses the flag's value for kong.
func (d *dims) Decode(ctx *kong.DecodeContext) error {
	var text string
	if err := ctx.Scan.PopValueInto("sizes", &text); err != nil {
		return err
	}
	if len(*d) > 0 { // kong starts with an empty list
		return fmt.Errorf("given twice, %v and %s; sizes of several dimensions are one value, such as %vx%s", *d, text, *d, text)
	}
	list, err := parseDims(text)
	*d = list
	return err
}

func (d dims) String() string {
	s := make([]string, len(d))
	for i, n := range d {
		s[i] = strconv.Itoa(n)
	}
	return strings.Join(s, "x")
}

func parseDims(text string) (dims, error) {
	var list dims
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == 'x' || r == ',' || r == '×' }) {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no size; expected numbers such as 1024, 640x480 or 8x8x8", text)
		}
		list = append(list, n)
	}
	if len(list) < 1 || len(list) > 3 {
		return nil, fmt.Errorf("%q has %d dimensions; expected one to three, such as 1024, 640x480 or 8x8x8", text, len(list))
	}
	return list, nil
}

// unsigned returns the sizes in the form that devices take, nil if there are none.
func (d dims) unsigned() []uint64 {
	var list []uint64
	for _, n := range d {
		list = append(list, uint64(n))
	}
	return list
}

// items returns the product of the sizes.
func (d dims) items() int {
	n := 1
	for _, g := range d {
		n *= g
	}
	return n
}

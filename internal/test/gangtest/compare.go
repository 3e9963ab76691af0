package gangtest

import (
	"errors"
	"fmt"

	"github.com/purecl/purecl/internal/cpu/gang"
)

// ErrUndefined is the error of Compare for a function that does not end, accesses memory out of bounds without a
// check, or whose violations depend on unspecified values.
var ErrUndefined = errors.New("the function's behaviour is not defined")

// noises select the unspecified values of runs of the interpreter, which are compared to find the bytes that depend on
// them.
var noises = []uint64{0, gang.ZeroNoise, gang.OnesNoise, 0x9e3779b97f4a7c15, 0x123456789abcdef}

// Compare runs a launch by the interpreter and by machine code, each time a new one, and compares the memory and the
// logs. Bytes that depend on unspecified values are not compared. It returns the number of the others.
func Compare(launch func() (*Launch, error), machine func(*Launch) (*Log, error)) (compared int, err error) {
	var runs []*Launch
	var want *Log
	for _, n := range noises {
		l, err := launch()
		if err != nil {
			return 0, err
		}
		log, err := l.Interpret(n)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", ErrUndefined, err)
		}
		if want != nil && log.String() != want.String() {
			return 0, ErrUndefined
		}
		want = log
		runs = append(runs, l)
	}
	l, err := launch()
	if err != nil {
		return 0, err
	}
	log, err := machine(l)
	if err == nil {
		err = l.Intact()
	}
	if err != nil {
		return 0, err
	}
	for n := range l.Objects {
		for at, got := range l.Objects[n].Data {
			first, same := runs[0].Objects[n].Data[at], true
			for _, r := range runs[1:] {
				same = same && r.Objects[n].Data[at] == first
			}
			if !same {
				continue
			}
			compared++
			if got != first && !varies(launch, n, at, first) {
				return 0, fmt.Errorf("byte %d of object %d is %#02x, interpreted %#02x", at, n, got, first)
			}
		}
	}
	if g, w := log.String(), want.String(); g != w {
		return 0, fmt.Errorf("reported:\n%s\ninterpreted:\n%s", g, w)
	}
	return compared, nil
}

// varies reports whether a byte of an object depends on unspecified values, with more of them than Compare has tried.
func varies(launch func() (*Launch, error), object, at int, first byte) bool {
	for noise := range uint64(300) {
		l, err := launch()
		if err != nil {
			return false
		}
		if _, err := l.Interpret((noise + 2) * 0x9e3779b97f4a7c15); err != nil || l.Objects[object].Data[at] != first {
			return true
		}
	}
	return false
}

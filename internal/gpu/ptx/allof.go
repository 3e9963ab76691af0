package ptx

import "slices"

// allOf is a conjunction of predicates, and of comparisons of 32-bit numbers with limits.
type allOf struct {
	ok     string
	limits []string            // in the order of their first comparison
	below  map[string][]string // by limit: the numbers
}

func (a *allOf) add(e *emitter, ok string) {
	if a.ok != "" {
		ok = e.set(pred, "and.pred", a.ok, ok)
	}
	a.ok = ok
}

// less adds the condition that a number, as an unsigned one, is below a limit.
func (a *allOf) less(x, limit string) {
	if a.below == nil {
		a.below = map[string][]string{}
	}
	list, ok := a.below[limit]
	if !ok {
		a.limits = append(a.limits, limit)
	}
	if !slices.Contains(list, x) {
		a.below[limit] = append(list, x)
	}
}

// branch emits a branch that is taken where the conjunction is false, and returns its label. Of the numbers with one limit
// it compares the greatest: a tree of maxima takes less time than a chain of predicates.
func (a *allOf) branch(e *emitter) (slow string) {
	for _, limit := range a.limits {
		list := a.below[limit]
		for len(list) > 1 {
			n := len(list) / 2
			for i := range n {
				list[i] = e.set(b32, "max.u32", list[2*i], list[2*i+1])
			}
			if len(list)%2 != 0 {
				list[n] = list[len(list)-1]
				n++
			}
			list = list[:n]
		}
		a.add(e, e.set(pred, "setp.lt.u32", list[0], limit))
	}
	slow = e.label("X")
	e.emit("@!%s bra %s", a.ok, slow)
	return slow
}

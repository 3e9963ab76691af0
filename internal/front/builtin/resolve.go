package builtin

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/front/types"
)

// Overloads are selected as clang does for overloadable functions in C: each argument's conversion has a rank. The
// selected overload must be no worse than every other one for all arguments, and better for one.

// A rank orders conversions. The low bits distinguish conversions of one rank.
type rank uint8

const (
	exact      rank = 0
	qualified  rank = 1 // a pointer to a more qualified type
	toGeneric  rank = 2 // a pointer to the generic address space
	promotion  rank = 4
	conversion rank = 8
	widening   rank = 12 // a scalar to a vector with all components equal
	cOnly      rank = 16 // allowed only in C: void * to T *
	badPointer rank = 20 // conversions of which C compilers warn: different pointee, lost qualifier
	impossible rank = 255
)

// rankOf ranks the implicit conversion of an argument of type a to p.
func rankOf(a types.QType, p *ptype) rank {
	t := a.Type
	if p.ptr {
		if t.Kind != types.Pointer {
			return impossible
		}
		return rankPointer(t.Elem, p)
	}
	switch p.kind {
	case types.Image:
		if t.Kind == types.Image && t.Image == p.image && (t.Access == p.access || t.Access == types.NoAccess && p.access == types.ReadOnly) {
			return exact
		}
		return impossible
	case types.Sampler, types.Event:
		// An integer constant initialises a sampler, 0 an event.
		if t.Kind == p.kind {
			return exact
		} else if t.IsInteger() {
			return conversion
		}
		return impossible
	}
	if t.Kind == types.Vector {
		if uint8(t.Len) == p.lanes && t.Elem.Kind == p.kind {
			return exact
		}
		return impossible
	}
	if t.Kind == types.Atomic {
		t = t.Elem.Type
	}
	k := t.Kind
	if k == types.Enum {
		k = t.Under.Kind
		if k == types.Int || k == types.UInt {
			// An enumeration converts; to its own integer type it is promoted.
			if p.lanes == 1 && p.kind == k {
				return promotion
			}
		}
	} else if p.lanes == 1 && k == p.kind {
		return exact
	}
	switch {
	case k < types.Bool || k > types.Double:
		return impossible
	case p.lanes > 1:
		return widening
	case p.kind == types.Int && k < types.Int, p.kind == types.Double && k == types.Float:
		return promotion
	}
	return conversion
}

// rankPointer ranks the conversion of a pointer to elem.
func rankPointer(elem types.QType, p *ptype) rank {
	r := exact
	space := elem.Space
	if space == types.NoSpace {
		space = types.Private
	}
	if space != p.space {
		if p.space != types.Generic || space == types.Constant {
			return impossible
		}
		r = toGeneric
	}
	lost := elem.Const && !p.cnst || elem.Volatile && !p.vol
	if elem.Const != p.cnst || elem.Volatile != p.vol {
		r |= qualified
	}
	t := elem.Type
	bad := badPointer | r&toGeneric // a warning in any case, so that the nearer address space is preferred
	if t.Kind == types.Atomic != p.atomic {
		return bad
	}
	if p.atomic {
		t = t.Elem.Type
	}
	switch {
	case p.kind == types.Void:
		if t.Kind != types.Void {
			r |= conversion
		}
	case t.Kind == types.Void:
		r |= cOnly
	case t.Kind == types.Vector && (uint8(t.Len) != p.lanes || t.Elem.Kind != p.kind), t.Kind != types.Vector && (p.lanes != 1 || t.Kind != p.kind):
		r = bad
	}
	if lost {
		r = bad
	}
	return r
}

type envState struct {
	groups map[string]*groupState
	memo   map[memoKey]*Overload
	made   map[*proto]*Overload
	needs  needs // requirements of types that are satisfied
	ready  bool
}

type groupState struct {
	*group
	on []bool // by row: its requirements are satisfied
}

type memoKey struct {
	name string
	n    int
	args [4]*types.Type
}

// lookup returns the environment's entry for a name, nil if no environment has such a builtin.
func (e *Env) lookup(name string) *groupState {
	s := &e.state
	if g := s.groups[name]; g != nil {
		return g
	}
	g := lookupGroup(name)
	if g == nil {
		return nil
	}
	if !s.ready {
		s.ready = true
		s.groups, s.memo, s.made = map[string]*groupState{}, map[memoKey]*Overload{}, map[*proto]*Overload{}
		for i, n := range needNames {
			if e.meets(n) {
				s.needs |= 1 << i
			}
		}
	}
	st := &groupState{group: g, on: make([]bool, len(g.rows))}
	for i, r := range g.rows {
		st.on[i] = e.meets(r.Requires)
	}
	s.groups[name] = st
	return st
}

func (g *groupState) enabled(e *Env, i int, p *proto) bool {
	if p.needs&^e.state.needs != 0 {
		return false
	}
	for i, r := range g.rows {
		if r == p.row {
			return g.on[i]
		}
	}
	return false
}

// Exists reports whether the program sees a builtin function of that name.
func Exists(env *Env, name string) bool {
	g := env.lookup(name)
	if g == nil {
		return false
	}
	for _, on := range g.on {
		if on {
			return true
		}
	}
	return false
}

// Requirement returns the requirement of a builtin that Exists does not find, such as "OpenCL C 2.0" or
// "cl_khr_int64_base_atomics"; "" if no builtin has that name.
func Requirement(env *Env, name string) string {
	if g := env.lookup(name); g != nil {
		for i, r := range g.rows {
			if !g.on[i] {
				return env.missing(r.Requires)
			}
		}
	}
	return ""
}

// Resolve selects the overload of the builtin name for arguments of the given types (after array and function
// decay). If none matches or several match equally well, it returns nil and the candidates, the nearest first: the
// call is ambiguous between those with an empty Reason.
func Resolve(env *Env, name string, args []types.QType) (*Overload, []Candidate) {
	key := memoKey{name: name, n: len(args)}
	cached := len(args) <= len(key.args)
	if cached {
		for i, a := range args {
			key.args[i] = a.Type
		}
		if o := env.state.memo[key]; o != nil {
			return o, nil
		}
	}
	g := env.lookup(name)
	if g == nil {
		return nil, nil
	}
	best, rivals := g.choose(env, args)
	if best != nil && rivals == nil {
		o := env.overload(best)
		if best.row.Flags&pointeeResult != 0 {
			return env.withPointee(o, args[0]), nil
		}
		if cached {
			env.state.memo[key] = o
		}
		return o, nil
	}
	if rivals != nil {
		var cs []Candidate
		for _, p := range rivals {
			cs = append(cs, Candidate{Overload: env.overload(p)})
		}
		return nil, cs
	}
	var cs []Candidate
	for i, p := range g.overloads() {
		if g.enabled(env, i, p) {
			o := env.overload(p)
			cs = append(cs, Candidate{o, misfit(o, args)})
		}
	}
	slices.SortStableFunc(cs, func(a, b Candidate) int { return a.Overload.proto.distance(args) - b.Overload.proto.distance(args) })
	return nil, cs
}

// Relaxed returns the overload that replaces o with -cl-fast-relaxed-math, which may be o.
func Relaxed(env *Env, o *Overload) *Overload {
	if o.Row.Relaxed == "" || o.proto.domain.kind != types.Float {
		return o
	}
	if r, _ := Resolve(env, o.Row.Relaxed, o.Params); r != nil {
		return r
	}
	return o
}

// distance ranks overloads that do not match: by a wrong number of arguments first, then by arguments that do not
// convert, then by conversions.
func (p *proto) distance(args []types.QType) int {
	d := 0
	if !p.fits(len(args)) {
		d = 1 << 20
	}
	for i := range min(len(p.params), len(args)) {
		switch r := rankOf(args[i], &p.params[i]); r {
		case impossible:
			d += 1 << 10
		default:
			d += int(r)
		}
	}
	return d
}

// choose returns the best overload. rivals is not nil if others match as well; it then contains them and the best.
func (g *groupState) choose(env *Env, args []types.QType) (best *proto, rivals []*proto) {
	var buf [3][8]rank
	bestRanks, ranks := buf[0][:0], buf[1][:0]
	protos := g.overloads()
	for i, p := range protos {
		if !p.fits(len(args)) || !g.enabled(env, i, p) {
			continue
		}
		var ok bool
		if ranks, ok = p.ranks(ranks[:0], args); !ok {
			continue
		}
		if best == nil || compare(ranks, bestRanks) < 0 {
			best = p
			bestRanks, ranks = ranks, bestRanks
			if allExact(bestRanks) {
				return best, nil
			}
		}
	}
	if best == nil {
		return nil, nil
	}
	// The winner must beat each of the others.
	for i, p := range protos {
		if p == best || !p.fits(len(args)) || !g.enabled(env, i, p) {
			continue
		}
		var ok bool
		if ranks, ok = p.ranks(ranks[:0], args); ok && compare(bestRanks, ranks) >= 0 {
			rivals = append(rivals, p)
		}
	}
	if rivals != nil {
		rivals = append([]*proto{best}, rivals...)
	}
	return best, rivals
}

func allExact(ranks []rank) bool {
	for _, r := range ranks {
		if r != exact {
			return false
		}
	}
	return true
}

func (p *proto) fits(n int) bool {
	return n == len(p.params) || n > len(p.params) && p.row.Flags&Variadic != 0
}

func (p *proto) ranks(out []rank, args []types.QType) ([]rank, bool) {
	for i := range p.params {
		if args[i].IsInvalid() {
			out = append(out, exact)
			continue
		}
		r := rankOf(args[i], &p.params[i])
		if r == impossible {
			return out, false
		}
		out = append(out, r)
	}
	return out, true
}

// compare returns -1 if a is better than b, 1 if b is better, 0 if neither is. An
// overload that needs an incompatible pointer conversion is worse than one that needs none.
func compare(a, b []rank) int {
	bad := func(r rank) bool { return r >= badPointer }
	if p, q := slices.ContainsFunc(a, bad), slices.ContainsFunc(b, bad); p != q {
		if q {
			return -1
		}
		return 1
	}
	less, more := false, false
	for i := range a {
		less = less || a[i] < b[i]
		more = more || a[i] > b[i]
	}
	switch {
	case less && !more:
		return -1
	case more && !less:
		return 1
	}
	return 0
}

// overload creates an overload with the types of a proto in the environment's context.
func (e *Env) overload(p *proto) *Overload {
	if !p.ctxt {
		if o := p.shared.Load(); o != nil {
			return o
		}
	} else if o := e.state.made[p]; o != nil {
		return o
	}
	o := &Overload{Row: p.row, Key: p.key(), proto: p, Result: p.result.in(e.Types), Params: make([]types.QType, len(p.params))}
	for i, x := range p.params {
		o.Params[i] = x.in(e.Types)
	}
	if p.ctxt {
		e.state.made[p] = o
	} else if !p.shared.CompareAndSwap(nil, o) {
		o = p.shared.Load()
	}
	return o
}

// withPointee returns the overload of an address space qualifier function (OpenCL C, "Address Space Qualifier
// Functions", 6.15.10) for pointers to any type.
func (e *Env) withPointee(o *Overload, arg types.QType) *Overload {
	c := *o
	elem := arg.Elem
	res := elem.In(o.Result.Elem.Space)
	param := elem.In(o.Params[0].Elem.Space)
	c.Result, c.Params = types.Q(e.Types.PointerTo(res)), []types.QType{types.Q(e.Types.PointerTo(param))}
	return &c
}

// misfit returns the reason why a call does not match an overload.
func misfit(o *Overload, args []types.QType) string {
	p := o.proto
	if !p.fits(len(args)) {
		n, more := len(p.params), ""
		if p.row.Flags&Variadic != 0 {
			more = "at least "
		}
		return fmt.Sprintf("requires %s%d argument%s, but %d %s provided", more, n, plural(n, "s"), len(args), wasWere(len(args)))
	}
	for i := range p.params {
		if !args[i].IsInvalid() && rankOf(args[i], &p.params[i]) == impossible {
			return fmt.Sprintf("no known conversion from '%s' to '%s' for argument %d", args[i], o.Params[i], i+1)
		}
	}
	return ""
}

func plural(n int, s string) string {
	if n == 1 {
		return ""
	}
	return s
}

func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

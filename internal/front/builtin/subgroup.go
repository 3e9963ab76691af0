package builtin

import "github.com/purecl/purecl/internal/ir/ssa"

const (
	secSubGroup = "Sub-Group Functions (6.15.19)"
	subGroups   = "1.2 cl_khr_subgroups|__opencl_c_subgroups"
	extTypes    = "cl_khr_subgroup_extended_types"
	vote        = "cl_khr_subgroup_non_uniform_vote"
	shuffle     = "cl_khr_subgroup_shuffle"
	relative    = "cl_khr_subgroup_shuffle_relative"
	rotation    = "cl_khr_subgroup_rotate"
	clock       = "__opencl_c_kernel_clock_scope_" // features of cl_khr_kernel_clock, which this implementation does not have
	secClock    = "Kernel Clock Functions (6.15.20)"
	ballot      = "cl_khr_subgroup_ballot"
	nonUniform  = "cl_khr_subgroup_non_uniform_arithmetic"
	clustered   = "cl_khr_subgroup_clustered_reduce"
)

// Sub-group functions are built from three operations (package ssa): exchange, ballot and barrier. The barrier also
// checks that the whole sub-group arrives, if the specification requires it. lib/subgroup.cl combines them.
var subGroupRows = []Row{
	{Name: "get_sub_group_size", Sigs: []string{"uint $@()"}, Requires: subGroups, Spec: secSubGroup, Doc: "number of work-items in this sub-group", Flags: NoSideEffect, Impl: ImplOp, Emit: emitSubGroupQuery, Aux: subGroupSize},
	{Name: "get_max_sub_group_size", Sigs: []string{"uint $@()"}, Requires: subGroups, Spec: secSubGroup, Doc: "number of work-items in a full sub-group", Flags: NoSideEffect, Impl: ImplOp, Emit: emitSubGroupQuery, Aux: subGroupMaxSize},
	{Name: "get_num_sub_groups", Sigs: []string{"uint $@()"}, Requires: subGroups, Spec: secSubGroup, Doc: "number of sub-groups in this work-group", Flags: NoSideEffect, Impl: ImplOp, Emit: emitSubGroupQuery, Aux: subGroupCount},
	{Name: "get_enqueued_num_sub_groups", Sigs: []string{"uint $@()"}, Requires: "2.0 " + subGroups, Spec: secSubGroup, Doc: "number of sub-groups in a full work-group", Flags: NoSideEffect, Impl: ImplOp, Emit: emitSubGroupQuery, Aux: subGroupEnqueuedCount},
	{Name: "get_sub_group_id", Sigs: []string{"uint $@()"}, Requires: subGroups, Spec: secSubGroup, Doc: "number of this sub-group in its work-group", Flags: NoSideEffect, Impl: ImplOp, Emit: emitSubGroupQuery, Aux: subGroupID},
	{Name: "get_sub_group_local_id", Sigs: []string{"uint $@()"}, Requires: subGroups, Spec: secSubGroup, Doc: "number of this work-item in its sub-group", Flags: NoSideEffect, Impl: ImplOp, Emit: emitSubGroupQuery, Aux: subGroupLocalID},
	{Name: "sub_group_barrier", Sigs: []string{"void $@(cl_mem_fence_flags)"}, Requires: subGroups, Spec: secSubGroup, Doc: "all work-items of the sub-group must arrive before any continues", Flags: Convergent, Impl: ImplOp, Emit: emitSubGroupBarrier},
	{Name: "sub_group_barrier", Sigs: []string{"void $@(cl_mem_fence_flags, memory_scope)"}, Requires: "2.0 " + subGroups, Spec: secSubGroup, Doc: "all work-items of the sub-group must arrive before any continues", Flags: Convergent, Impl: ImplOp, Emit: emitSubGroupBarrier},
	{Name: "sub_group_{combine:all,any}", Sigs: []string{"int $@(int)"}, Requires: subGroups, Spec: secSubGroup, Doc: "whether the predicate is not 0 for $0 work-items of the sub-group", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_broadcast", Sigs: []string{"elemc $@(elemc, uint)"}, Requires: subGroups, Spec: secSubGroup, Doc: "value of x of the given work-item", Flags: Convergent, Impl: ImplOp, Emit: emitExchange, Aux: converging},
	{Name: "sub_group_broadcast", Sigs: []string{"gentype $@(gentype, uint)"}, Requires: extTypes, Spec: secSubGroup, Doc: "value of x of the given work-item", Flags: Convergent, Impl: ImplOp, Emit: emitExchange, Aux: converging},
	{Name: "sub_group_{reduce,scan_exclusive,scan_inclusive}_{combine:add,min,max}", Sigs: []string{"elemc $@(elemc)"}, Requires: subGroups, Spec: secSubGroup, Doc: "$0 of x over the sub-group with $1", Flags: Convergent, Impl: ImplBody, Body: "sub_group_$0"},
	{Name: "sub_group_{reduce,scan_exclusive,scan_inclusive}_{combine:add,min,max}", Sigs: []string{"elem $@(elem)"}, Requires: extTypes, Spec: secSubGroup, Doc: "$0 of x over the sub-group with $1", Flags: Convergent, Impl: ImplBody, Body: "sub_group_$0"},

	{Name: "sub_group_elect", Sigs: []string{"int $@()"}, Requires: vote, Spec: vote, Doc: "1 in the lowest active work-item", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_non_uniform_{combine:all,any}", Sigs: []string{"int $@(int)"}, Requires: vote, Spec: vote, Doc: "whether the predicate is not 0 for $0 active work-items", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_non_uniform_all_equal", Sigs: []string{"int $@(elem)"}, Requires: vote, Spec: vote, Doc: "whether x is the same in all active work-items", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_non_uniform_broadcast", Sigs: []string{"gentype $@(gentype, uint)"}, Requires: ballot, Spec: ballot, Doc: "value of x of the given work-item", Flags: Convergent, Impl: ImplOp, Emit: emitExchange},
	{Name: "sub_group_broadcast_first", Sigs: []string{"elem $@(elem)"}, Requires: ballot, Spec: ballot, Doc: "value of x of the lowest active work-item", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_ballot", Sigs: []string{"uint4 $@(int)"}, Requires: ballot, Spec: ballot, Doc: "bit for each active work-item whose predicate is not 0", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_inverse_ballot", Sigs: []string{"int $@(uint4)"}, Requires: ballot, Spec: ballot, Doc: "this work-item's bit", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_ballot_bit_extract", Sigs: []string{"int $@(uint4, uint)"}, Requires: ballot, Spec: ballot, Doc: "a bit of a ballot", Flags: NoSideEffect, Impl: ImplBody},
	{Name: "sub_group_ballot_{bit_count,inclusive_scan,exclusive_scan,find_lsb,find_msb}", Sigs: []string{"uint $@(uint4)"}, Requires: ballot, Spec: ballot, Doc: "$0 of a ballot", Flags: NoSideEffect, Impl: ImplBody},
	{Name: "get_sub_group_{eq,ge,gt,le,lt}_mask", Sigs: []string{"uint4 $@()"}, Requires: ballot, Spec: ballot, Doc: "bits of work-items whose number is $0 this one's", Flags: NoSideEffect, Impl: ImplBody},
	{Name: "sub_group_non_uniform_{reduce,scan_inclusive,scan_exclusive}_{combine:add,min,max,mul}", Sigs: []string{"elem $@(elem)"}, Requires: nonUniform, Spec: nonUniform, Doc: "$0 of x over the active work-items with $1", Flags: Convergent, Impl: ImplBody, Body: "sub_group_fold_$0"},
	{Name: "sub_group_non_uniform_{reduce,scan_inclusive,scan_exclusive}_{combine:and,or,xor}", Sigs: []string{"elemi $@(elemi)"}, Requires: nonUniform, Spec: nonUniform, Doc: "$0 of x over the active work-items with $1", Flags: Convergent, Impl: ImplBody, Body: "sub_group_fold_$0"},
	{Name: "sub_group_non_uniform_{reduce,scan_inclusive,scan_exclusive}_logical_{combine:and=logical_and,or=logical_or,xor=logical_xor}", Sigs: []string{"int $@(int)"}, Requires: nonUniform, Spec: nonUniform, Doc: "$0 of the predicate over the active work-items with logical $1", Flags: Convergent, Impl: ImplBody, Body: "sub_group_fold_$0"},
	{Name: "sub_group_shuffle", Sigs: []string{"elem $@(elem, uint)"}, Requires: shuffle, Spec: shuffle, Doc: "value of x of another work-item", Flags: Convergent, Impl: ImplOp, Emit: emitExchange},
	{Name: "sub_group_shuffle_xor", Sigs: []string{"elem $@(elem, uint)"}, Requires: shuffle, Spec: shuffle, Doc: "value of x of another work-item", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_shuffle_{up,down}", Sigs: []string{"elem $@(elem, uint)"}, Requires: relative, Spec: relative, Doc: "value of x of another work-item", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_rotate", Sigs: []string{"elem $@(elem, int)"}, Requires: rotation, Spec: rotation, Doc: "value of x of another work-item", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_clustered_rotate", Sigs: []string{"elem $@(elem, int, uint)"}, Requires: rotation, Spec: rotation, Doc: "value of x of another work-item of the cluster", Flags: Convergent, Impl: ImplBody},
	{Name: "sub_group_clustered_reduce_{combine:add,min,max,mul}", Sigs: []string{"elem $@(elem, uint)"}, Requires: clustered, Spec: clustered, Doc: "reduction of x over each cluster with $0", Flags: Convergent, Impl: ImplBody, Body: "sub_group_clustered_reduce"},
	{Name: "sub_group_clustered_reduce_{combine:and,or,xor}", Sigs: []string{"elemi $@(elemi, uint)"}, Requires: clustered, Spec: clustered, Doc: "reduction of x over each cluster with $0", Flags: Convergent, Impl: ImplBody, Body: "sub_group_clustered_reduce"},
	{Name: "sub_group_clustered_reduce_logical_{combine:and=logical_and,or=logical_or,xor=logical_xor}", Sigs: []string{"int $@(int, uint)"}, Requires: clustered, Spec: clustered, Doc: "reduction of the predicate over each cluster with logical $0", Flags: Convergent, Impl: ImplBody, Body: "sub_group_clustered_reduce"},

	{Name: "clock_read_device", Sigs: []string{"ulong $@()"}, Requires: clock + "device", Spec: secClock, Doc: "a counter of the device"},
	{Name: "clock_read_work_group", Sigs: []string{"ulong $@()"}, Requires: clock + "work_group", Spec: secClock, Doc: "a counter of the work-group"},
	{Name: "clock_read_sub_group", Sigs: []string{"ulong $@()"}, Requires: clock + "sub_group", Spec: secClock, Doc: "a counter of the sub-group"},
	{Name: "clock_read_hilo_device", Sigs: []string{"uint2 $@()"}, Requires: clock + "device", Spec: secClock, Doc: "a counter of the device, low and high half"},
	{Name: "clock_read_hilo_work_group", Sigs: []string{"uint2 $@()"}, Requires: clock + "work_group", Spec: secClock, Doc: "a counter of the work-group, low and high half"},
	{Name: "clock_read_hilo_sub_group", Sigs: []string{"uint2 $@()"}, Requires: clock + "sub_group", Spec: secClock, Doc: "a counter of the sub-group, low and high half"},

	{Name: "__sub_group_exchange", Sigs: []string{"gentype $@(gentype, uint)"}, Spec: secSubGroup, Doc: "value of x of an active work-item, else 0; not for programs", Flags: Internal | Convergent, Impl: ImplOp, Emit: emitExchange},
	{Name: "__sub_group_ballot", Sigs: []string{"uint $@(int)"}, Spec: secSubGroup, Doc: "bit for each active work-item whose predicate is not 0; not for programs", Flags: Internal | Convergent, Impl: ImplOp, Emit: emitBallot},
	{Name: "__sub_group_converge", Sigs: []string{"void $@()"}, Spec: secSubGroup, Doc: "all work-items of the sub-group must be here; not for programs", Flags: Internal | Convergent, Impl: ImplOp, Emit: emitSubGroupBarrier},
}

// converging is the Aux of exchanges that all work-items of the sub-group must execute.
const converging = 1

// emitSubGroupBarrier emits the barrier. Without an argument it orders no memory.
func emitSubGroupBarrier(c *Emission) *ssa.Value {
	flags := ssa.RMW(0)
	if len(c.Args) > 0 {
		flags = c.fenceFlags(c.Args[0])
	}
	c.B.Aux(ssa.OpSubGroupBarrier, ssa.TVoid, int64(flags))
	return nil
}

func emitExchange(c *Emission) *ssa.Value {
	if c.Call.Row.Aux == converging {
		c.B.Aux(ssa.OpSubGroupBarrier, ssa.TVoid, 0)
	}
	return c.B.Value(ssa.OpSubGroupExchange, c.Result, c.Args...)
}

func emitBallot(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpSubGroupBallot, ssa.TU32, c.Args...)
}

// The Aux of functions that query numbers of sub-groups.
const (
	subGroupSize = iota
	subGroupMaxSize
	subGroupCount
	subGroupEnqueuedCount
	subGroupID
	subGroupLocalID
)

// emitSubGroupQuery computes the queries from those of work-items.
func emitSubGroupQuery(c *Emission) *ssa.Value {
	b, t := c.B, ssa.TU32
	size := b.Aux(ssa.OpWorkItem, t, int64(ssa.MaxSubGroupSize), b.Const(t, 0))
	item := func() *ssa.Value { return b.Aux(ssa.OpWorkItem, t, int64(ssa.LocalLinearID), b.Const(t, 0)) }
	// items is the number of work-items of the work-group.
	items := func(q ssa.WorkItemQuery) *ssa.Value {
		n := b.Aux(ssa.OpWorkItem, t, int64(q), b.Const(t, 0))
		for d := uint64(1); d < 3; d++ {
			n = b.Value(ssa.OpMul, t, n, b.Aux(ssa.OpWorkItem, t, int64(q), b.Const(t, d)))
		}
		return n
	}
	count := func(q ssa.WorkItemQuery) *ssa.Value {
		return b.Value(ssa.OpDiv, t, b.Value(ssa.OpAdd, t, items(q), b.Value(ssa.OpSub, t, size, b.Const(t, 1))), size)
	}
	switch c.Call.Row.Aux {
	case subGroupLocalID:
		return b.Value(ssa.OpRem, t, item(), size)
	case subGroupID:
		return b.Value(ssa.OpDiv, t, item(), size)
	case subGroupSize: // smaller in the last sub-group
		id := item()
		first := b.Value(ssa.OpSub, t, id, b.Value(ssa.OpRem, t, id, size))
		return b.Value(ssa.OpMin, t, size, b.Value(ssa.OpSub, t, items(ssa.LocalSize), first))
	case subGroupCount:
		return count(ssa.LocalSize)
	case subGroupEnqueuedCount:
		return count(ssa.EnqueuedLocalSize)
	}
	return size // subGroupMaxSize
}

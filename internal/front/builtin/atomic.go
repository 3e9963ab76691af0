package builtin

import "github.com/purecl/purecl/internal/ir/ssa"

const (
	secAtomic       = "Atomic Functions (6.15.12)"
	secLegacyAtomic = "OpenCL C 1.x Legacy Atomics (6.15.12.8)"
	secAtomicExt    = "Atomic Functions from cl_khr_int64_base_atomics and others (6.15.12.8)"
	base64          = "cl_khr_int64_base_atomics"
	ext64           = "cl_khr_int64_extended_atomics"
	seqDevice       = "2.0 __opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device"
	scopeDevice     = "2.0 __opencl_c_atomic_scope_device"
	baseAtom32      = "cl_khr_global_int32_base_atomics|cl_khr_local_int32_base_atomics|" + base64
	// Atomics of half.
	half16    = " __opencl_c_ext_fp16_global_atomic_load_store|__opencl_c_ext_fp16_local_atomic_load_store"
	fetch16   = " __opencl_c_ext_fp16_global_atomic_add|__opencl_c_ext_fp16_local_atomic_add|__opencl_c_ext_fp16_global_atomic_min_max|__opencl_c_ext_fp16_local_atomic_min_max"
	extAtom32 = "cl_khr_global_int32_extended_atomics|cl_khr_local_int32_extended_atomics|" + ext64
)

// Atomics of OpenCL C 1.x are relaxed, whatever their scope. Functions without _explicit are sequentially consistent
// with device scope.
var atomicRows = []Row{
	{Name: "atomic_{rmw:add,sub,xchg,min,max,and,or,xor}", Sigs: []string{"int $@(volatile global|local int*, int)", "uint $@(volatile global|local uint*, uint)"}, Spec: secLegacyAtomic, Doc: "atomic read-modify-write; the old value", Impl: ImplOp, Emit: emitRMW},
	{Name: "atomic_xchg", Sigs: []string{"float atomic_xchg(volatile global|local float*, float)"}, Spec: secLegacyAtomic, Doc: "swaps; returns the old value", Impl: ImplOp, Emit: emitRMW},
	{Name: "atomic_{rmw:inc=add,dec=sub}", Sigs: []string{"int $@(volatile global|local int*)", "uint $@(volatile global|local uint*)"}, Spec: secLegacyAtomic, Doc: "adds or subtracts 1; returns the old value", Impl: ImplOp, Emit: emitRMW, One: true},
	{Name: "atomic_cmpxchg", Sigs: []string{"int $@(volatile global|local int*, int, int)", "uint $@(volatile global|local uint*, uint, uint)"}, Spec: secLegacyAtomic, Doc: "stores val if the value equals cmp; returns the old value", Impl: ImplOp, Emit: emitCmpxchg},

	{Name: "atom_{rmw:add,sub,xchg}", Sigs: []string{"int $@(volatile global|local int*, int)", "uint $@(volatile global|local uint*, uint)", "long $@(volatile global|local long*, long)", "ulong $@(volatile global|local ulong*, ulong)"}, Requires: baseAtom32, Spec: secAtomicExt, Doc: "atomic read-modify-write; the old value", Impl: ImplOp, Emit: emitRMW},
	{Name: "atom_{rmw:inc=add,dec=sub}", Sigs: []string{"int $@(volatile global|local int*)", "uint $@(volatile global|local uint*)", "long $@(volatile global|local long*)", "ulong $@(volatile global|local ulong*)"}, Requires: baseAtom32, Spec: secAtomicExt, Doc: "adds or subtracts 1; returns the old value", Impl: ImplOp, Emit: emitRMW, One: true},
	{Name: "atom_cmpxchg", Sigs: []string{"int $@(volatile global|local int*, int, int)", "uint $@(volatile global|local uint*, uint, uint)", "long $@(volatile global|local long*, long, long)", "ulong $@(volatile global|local ulong*, ulong, ulong)"}, Requires: baseAtom32, Spec: secAtomicExt, Doc: "stores val if the value equals cmp; returns the old value", Impl: ImplOp, Emit: emitCmpxchg},
	{Name: "atom_{rmw:min,max,and,or,xor}", Sigs: []string{"int $@(volatile global|local int*, int)", "uint $@(volatile global|local uint*, uint)", "long $@(volatile global|local long*, long)", "ulong $@(volatile global|local ulong*, ulong)"}, Requires: extAtom32, Spec: secAtomicExt, Doc: "atomic read-modify-write; the old value", Impl: ImplOp, Emit: emitRMW},

	{Name: "atomic_init", Sigs: []string{"void atomic_init(volatile global|local|generic atomic elema*, elema)"}, Requires: "2.0", Spec: secAtomic, Doc: "initialises an atomic object, not atomically", Impl: ImplOp, Emit: emitAtomicInit},
	{Name: "atomic_work_item_fence", Sigs: []string{"void $@(cl_mem_fence_flags, memory_order, memory_scope)"}, Requires: "2.0", Spec: secAtomic, Doc: "memory fence", Impl: ImplOp, Emit: emitFence},
	{Name: "atomic_store", Sigs: []string{"void $@(volatile global|local|generic atomic elema*, elema)"}, Requires: seqDevice, Spec: secAtomic, Doc: "atomic store", Impl: ImplOp, Emit: emitAtomicStore, Order: ssa.SeqCst},
	{Name: "atomic_store_explicit", Sigs: []string{"void $@(volatile global|local|generic atomic elema*, elema, memory_order, memory_scope)"}, Requires: "2.0", Spec: secAtomic, Doc: "atomic store", Impl: ImplOp, Emit: emitAtomicStore},
	{Name: "atomic_store_explicit", Sigs: []string{"void $@(volatile global|local|generic atomic elema*, elema, memory_order)"}, Requires: scopeDevice, Spec: secAtomic, Doc: "atomic store", Impl: ImplOp, Emit: emitAtomicStore},
	{Name: "atomic_load", Sigs: []string{"elema $@(volatile global|local|generic atomic elema*)"}, Requires: seqDevice, Spec: secAtomic, Doc: "atomic load", Impl: ImplOp, Emit: emitAtomicLoad, Order: ssa.SeqCst},
	{Name: "atomic_load_explicit", Sigs: []string{"elema $@(volatile global|local|generic atomic elema*, memory_order, memory_scope)"}, Requires: "2.0", Spec: secAtomic, Doc: "atomic load", Impl: ImplOp, Emit: emitAtomicLoad},
	{Name: "atomic_load_explicit", Sigs: []string{"elema $@(volatile global|local|generic atomic elema*, memory_order)"}, Requires: scopeDevice, Spec: secAtomic, Doc: "atomic load", Impl: ImplOp, Emit: emitAtomicLoad},
	{Name: "atomic_exchange", Sigs: []string{"elema $@(volatile global|local|generic atomic elema*, elema)"}, Requires: seqDevice, Spec: secAtomic, Doc: "swaps; returns the old value", Impl: ImplOp, Emit: emitRMW, Order: ssa.SeqCst},
	{Name: "atomic_exchange_explicit", Sigs: []string{"elema $@(volatile global|local|generic atomic elema*, elema, memory_order, memory_scope)"}, Requires: "2.0", Spec: secAtomic, Doc: "swaps; returns the old value", Impl: ImplOp, Emit: emitRMW},
	{Name: "atomic_exchange_explicit", Sigs: []string{"elema $@(volatile global|local|generic atomic elema*, elema, memory_order)"}, Requires: scopeDevice, Spec: secAtomic, Doc: "swaps; returns the old value", Impl: ImplOp, Emit: emitRMW},
	{Name: "atomic_compare_exchange_{strong,weak}", Sigs: []string{"bool $@(volatile global|local|generic atomic elema*, any elema*, elema)"}, Requires: seqDevice, Spec: secAtomic, Doc: "stores desired if the value equals *expected, else stores the value in *expected", Impl: ImplOp, Emit: emitCompareExchange, Order: ssa.SeqCst},
	{Name: "atomic_compare_exchange_{strong,weak}_explicit", Sigs: []string{"bool $@(volatile global|local|generic atomic elema*, any elema*, elema, memory_order, memory_order, memory_scope)"}, Requires: "2.0", Spec: secAtomic, Doc: "stores desired if the value equals *expected, else stores the value in *expected", Impl: ImplOp, Emit: emitCompareExchange},
	{Name: "atomic_compare_exchange_{strong,weak}_explicit", Sigs: []string{"bool $@(volatile global|local|generic atomic elema*, any elema*, elema, memory_order, memory_order)"}, Requires: scopeDevice, Spec: secAtomic, Doc: "stores desired if the value equals *expected, else stores the value in *expected", Impl: ImplOp, Emit: emitCompareExchange},
	{Name: "atomic_fetch_{rmw:add,sub,or,xor,and,min,max}", Sigs: []string{"elemai $@(volatile global|local|generic atomic elemai*, elemai)"}, Requires: seqDevice, Spec: secAtomic, Doc: "atomic read-modify-write; the old value", Impl: ImplOp, Emit: emitRMW, Order: ssa.SeqCst},
	{Name: "atomic_fetch_{rmw:add,sub,or,xor,and,min,max}_explicit", Sigs: []string{"elemai $@(volatile global|local|generic atomic elemai*, elemai, memory_order, memory_scope)"}, Requires: "2.0", Spec: secAtomic, Doc: "atomic read-modify-write; the old value", Impl: ImplOp, Emit: emitRMW},
	{Name: "atomic_fetch_{rmw:add,sub,or,xor,and,min,max}_explicit", Sigs: []string{"elemai $@(volatile global|local|generic atomic elemai*, elemai, memory_order)"}, Requires: scopeDevice, Spec: secAtomic, Doc: "atomic read-modify-write; the old value", Impl: ImplOp, Emit: emitRMW},
	{Name: "atomic_fetch_{rmw:add,sub,min,max}", Sigs: []string{"elemaf $@(volatile global|local|generic atomic elemaf*, elemaf)"}, Requires: seqDevice + " cl_ext_float_atomics", Spec: "cl_ext_float_atomics", Doc: "atomic read-modify-write; the old value", Impl: ImplOp, Emit: emitRMW, Order: ssa.SeqCst},
	{Name: "atomic_fetch_{rmw:add,sub,min,max}_explicit", Sigs: []string{"elemaf $@(volatile global|local|generic atomic elemaf*, elemaf, memory_order, memory_scope)", "elemaf $@(volatile global|local|generic atomic elemaf*, elemaf, memory_order)"}, Requires: scopeDevice + " cl_ext_float_atomics", Spec: "cl_ext_float_atomics", Doc: "atomic read-modify-write; the old value", Impl: ImplOp, Emit: emitRMW},
	{Name: "atomic_fetch_{rmw:add,sub,min,max}", Sigs: []string{"half $@(volatile global|local|generic atomic half*, half)"}, Requires: seqDevice + fetch16, Spec: "cl_ext_float_atomics", Doc: "atomic read-modify-write; the old value", Impl: ImplOp, Emit: emitRMW, Order: ssa.SeqCst},
	{Name: "atomic_fetch_{rmw:add,sub,min,max}_explicit", Sigs: []string{"half $@(volatile global|local|generic atomic half*, half, memory_order, memory_scope)", "half $@(volatile global|local|generic atomic half*, half, memory_order)"}, Requires: scopeDevice + fetch16, Spec: "cl_ext_float_atomics", Doc: "atomic read-modify-write; the old value", Impl: ImplOp, Emit: emitRMW},
	{Name: "atomic_store", Sigs: []string{"void $@(volatile global|local|generic atomic half*, half)"}, Requires: seqDevice + half16, Spec: "cl_ext_float_atomics", Doc: "atomic store", Impl: ImplOp, Emit: emitAtomicStore, Order: ssa.SeqCst},
	{Name: "atomic_store_explicit", Sigs: []string{"void $@(volatile global|local|generic atomic half*, half, memory_order)", "void $@(volatile global|local|generic atomic half*, half, memory_order, memory_scope)"}, Requires: "2.0" + half16, Spec: "cl_ext_float_atomics", Doc: "atomic store", Impl: ImplOp, Emit: emitAtomicStore},
	{Name: "atomic_load", Sigs: []string{"half $@(volatile global|local|generic atomic half*)"}, Requires: seqDevice + half16, Spec: "cl_ext_float_atomics", Doc: "atomic load", Impl: ImplOp, Emit: emitAtomicLoad, Order: ssa.SeqCst},
	{Name: "atomic_load_explicit", Sigs: []string{"half $@(volatile global|local|generic atomic half*, memory_order)", "half $@(volatile global|local|generic atomic half*, memory_order, memory_scope)"}, Requires: "2.0" + half16, Spec: "cl_ext_float_atomics", Doc: "atomic load", Impl: ImplOp, Emit: emitAtomicLoad},
	{Name: "atomic_exchange", Sigs: []string{"half $@(volatile global|local|generic atomic half*, half)"}, Requires: seqDevice + half16, Spec: "cl_ext_float_atomics", Doc: "swaps; returns the old value", Impl: ImplOp, Emit: emitRMW, Order: ssa.SeqCst},
	{Name: "atomic_exchange_explicit", Sigs: []string{"half $@(volatile global|local|generic atomic half*, half, memory_order)", "half $@(volatile global|local|generic atomic half*, half, memory_order, memory_scope)"}, Requires: "2.0" + half16, Spec: "cl_ext_float_atomics", Doc: "swaps; returns the old value", Impl: ImplOp, Emit: emitRMW},
	{Name: "atomic_flag_test_and_set", Sigs: []string{"bool $@(volatile global|local|generic atomic int*)"}, Requires: seqDevice, Spec: secAtomic, Doc: "sets the flag; returns whether it was set", Impl: ImplOp, Emit: emitFlag, Order: ssa.SeqCst, Op: ssa.OpAtomicRMW},
	{Name: "atomic_flag_test_and_set_explicit", Sigs: []string{"bool $@(volatile global|local|generic atomic int*, memory_order, memory_scope)"}, Requires: "2.0", Spec: secAtomic, Doc: "sets the flag; returns whether it was set", Impl: ImplOp, Emit: emitFlag, Op: ssa.OpAtomicRMW},
	{Name: "atomic_flag_test_and_set_explicit", Sigs: []string{"bool $@(volatile global|local|generic atomic int*, memory_order)"}, Requires: scopeDevice, Spec: secAtomic, Doc: "sets the flag; returns whether it was set", Impl: ImplOp, Emit: emitFlag, Op: ssa.OpAtomicRMW},
	{Name: "atomic_flag_clear", Sigs: []string{"void $@(volatile global|local|generic atomic int*)"}, Requires: seqDevice, Spec: secAtomic, Doc: "clears the flag", Impl: ImplOp, Emit: emitFlag, Order: ssa.SeqCst, Op: ssa.OpAtomicStore},
	{Name: "atomic_flag_clear_explicit", Sigs: []string{"void $@(volatile global|local|generic atomic int*, memory_order, memory_scope)"}, Requires: "2.0", Spec: secAtomic, Doc: "clears the flag", Impl: ImplOp, Emit: emitFlag, Op: ssa.OpAtomicStore},
	{Name: "atomic_flag_clear_explicit", Sigs: []string{"void $@(volatile global|local|generic atomic int*, memory_order)"}, Requires: scopeDevice, Spec: secAtomic, Doc: "clears the flag", Impl: ImplOp, Emit: emitFlag, Op: ssa.OpAtomicStore},
}

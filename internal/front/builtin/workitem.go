package builtin

import (
	"github.com/purecl/purecl/internal/ir/ssa"
)

const (
	secWorkItem   = "Work-Item Functions (6.15.1)"
	secVectorData = "Vector Data Load and Store Functions (6.15.7)"
	secSync       = "Synchronization Functions (6.15.8)"
	secFence      = "Legacy Explicit Memory Fence Functions (6.15.9)"
	secSpace      = "Address Space Qualifier Functions (6.15.10)"
	secAsync      = "Async Copies from Global to Local Memory, Local to Global Memory, and Prefetch (6.15.11)"
	secMisc       = "Miscellaneous Vector Functions (6.15.13)"
	secPrintf     = "printf (6.15.14)"
)

var workItemRows = []Row{
	{Name: "get_work_dim", Sigs: []string{"uint get_work_dim()"}, Spec: secWorkItem, Doc: "number of dimensions in use", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.WorkDim)},
	{Name: "get_global_size", Sigs: []string{"size_t get_global_size(uint)"}, Spec: secWorkItem, Doc: "number of global work-items in a dimension", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.GlobalSize)},
	{Name: "get_global_id", Sigs: []string{"size_t get_global_id(uint)"}, Spec: secWorkItem, Doc: "global id of this work-item", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.GlobalID)},
	{Name: "get_local_size", Sigs: []string{"size_t get_local_size(uint)"}, Spec: secWorkItem, Doc: "number of work-items in this work-group in a dimension", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.LocalSize)},
	{Name: "get_enqueued_local_size", Sigs: []string{"size_t get_enqueued_local_size(uint)"}, Requires: "2.0", Spec: secWorkItem, Doc: "number of work-items in a full work-group in a dimension", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.EnqueuedLocalSize)},
	{Name: "get_local_id", Sigs: []string{"size_t get_local_id(uint)"}, Spec: secWorkItem, Doc: "id of this work-item in its work-group", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.LocalID)},
	{Name: "get_num_groups", Sigs: []string{"size_t get_num_groups(uint)"}, Spec: secWorkItem, Doc: "number of work-groups in a dimension", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.NumGroups)},
	{Name: "get_group_id", Sigs: []string{"size_t get_group_id(uint)"}, Spec: secWorkItem, Doc: "id of this work-group", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.GroupID)},
	{Name: "get_global_offset", Sigs: []string{"size_t get_global_offset(uint)"}, Requires: "1.1", Spec: secWorkItem, Doc: "offset of global ids", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.GlobalOffset)},
	{Name: "get_global_linear_id", Sigs: []string{"size_t get_global_linear_id()"}, Requires: "2.0", Spec: secWorkItem, Doc: "global id as one number", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.GlobalLinearID)},
	{Name: "get_local_linear_id", Sigs: []string{"size_t get_local_linear_id()"}, Requires: "2.0", Spec: secWorkItem, Doc: "local id as one number", Flags: NoSideEffect, Impl: ImplOp, Emit: emitWorkItem, Aux: int64(ssa.LocalLinearID)},
}

var vectorDataRows = []Row{
	{Name: "vload{2,3,4,8,16}", Sigs: []string{"gentype$0 $@(size_t, any|constant const sgentype*)"}, Spec: secVectorData, Doc: "vector of $0 components from p + offset * $0", Impl: ImplOp, Emit: emitVload},
	{Name: "vstore{2,3,4,8,16}", Sigs: []string{"void $@(gentype$0, size_t, any sgentype*)"}, Spec: secVectorData, Doc: "stores $0 components at p + offset * $0", Impl: ImplOp, Emit: emitVstore},
	{Name: "vload_half", Sigs: []string{"float vload_half(size_t, any|constant const half*)"}, Spec: secVectorData, Doc: "half at p + offset, as float", Impl: ImplOp, Emit: emitVload},
	{Name: "vload_half{2,3,4,8,16}", Sigs: []string{"float$0 $@(size_t, any|constant const half*)"}, Spec: secVectorData, Doc: "$0 halfs from p + offset * $0, as float", Impl: ImplOp, Emit: emitVload},
	{Name: "vloada_half", Sigs: []string{"float vloada_half(size_t, any|constant const half*)"}, Spec: secVectorData, Doc: "half at p + offset, as float", Impl: ImplOp, Emit: emitVload, Aux: vecAligned},
	{Name: "vloada_half{2,3,4,8,16}", Sigs: []string{"float$0 $@(size_t, any|constant const half*)"}, Spec: secVectorData, Doc: "$0 halfs from p + offset * $0 (4 for 3), an aligned address, as float", Impl: ImplOp, Emit: emitVload, Aux: vecAligned},
	{Name: "vstore_half{round:}", Sigs: []string{"void $@(float, size_t, any half*)", "void $@(double, size_t, any half*)"}, Spec: secVectorData, Doc: "converts to half and stores at p + offset", Impl: ImplOp, Emit: emitVstore},
	{Name: "vstore_half{2,3,4,8,16}{round:}", Sigs: []string{"void $@(float$0, size_t, any half*)", "void $@(double$0, size_t, any half*)"}, Spec: secVectorData, Doc: "converts to half and stores at p + offset * $0", Impl: ImplOp, Emit: emitVstore},
	{Name: "vstorea_half{round:}", Sigs: []string{"void $@(float, size_t, any half*)", "void $@(double, size_t, any half*)"}, Spec: secVectorData, Doc: "converts to half and stores at p + offset", Impl: ImplOp, Emit: emitVstore, Aux: vecAligned},
	{Name: "vstorea_half{2,3,4,8,16}{round:}", Sigs: []string{"void $@(float$0, size_t, any half*)", "void $@(double$0, size_t, any half*)"}, Spec: secVectorData, Doc: "converts to half and stores at p + offset * $0 (4 for 3), an aligned address", Impl: ImplOp, Emit: emitVstore, Aux: vecAligned},
}

var syncRows = []Row{
	{Name: "barrier", Sigs: []string{"void barrier(cl_mem_fence_flags)"}, Spec: secSync, Doc: "all work-items of the work-group must arrive before any continues", Flags: Convergent, Impl: ImplOp, Emit: emitBarrier},
	{Name: "work_group_barrier", Sigs: []string{"void work_group_barrier(cl_mem_fence_flags)", "void work_group_barrier(cl_mem_fence_flags, memory_scope)"}, Requires: "2.0", Spec: secSync, Doc: "all work-items of the work-group must arrive before any continues", Flags: Convergent, Impl: ImplOp, Emit: emitBarrier},
	{Name: "mem_fence", Sigs: []string{"void mem_fence(cl_mem_fence_flags)"}, Spec: secFence, Doc: "orders loads and stores of this work-item", Impl: ImplOp, Emit: emitFence, Order: ssa.AcqRel},
	{Name: "read_mem_fence", Sigs: []string{"void read_mem_fence(cl_mem_fence_flags)"}, Spec: secFence, Doc: "orders loads of this work-item", Impl: ImplOp, Emit: emitFence, Order: ssa.Acquire},
	{Name: "write_mem_fence", Sigs: []string{"void write_mem_fence(cl_mem_fence_flags)"}, Spec: secFence, Doc: "orders stores of this work-item", Impl: ImplOp, Emit: emitFence, Order: ssa.Release},
}

// pointeeResult marks functions on pointers to any type: parameter and result have the argument's pointee.
const pointeeResult Flags = 1 << 7

var addressSpaceRows = []Row{
	{Name: "to_global", Sigs: []string{"global void* to_global(generic void*)"}, Requires: "2.0 __opencl_c_generic_address_space", Spec: secSpace, Doc: "the pointer if it points to global memory, else null", Flags: pointeeResult | NoSideEffect, Impl: ImplOp, Emit: emitToSpace},
	{Name: "to_local", Sigs: []string{"local void* to_local(generic void*)"}, Requires: "2.0 __opencl_c_generic_address_space", Spec: secSpace, Doc: "the pointer if it points to local memory, else null", Flags: pointeeResult | NoSideEffect, Impl: ImplOp, Emit: emitToSpace},
	{Name: "to_private", Sigs: []string{"private void* to_private(generic void*)"}, Requires: "2.0 __opencl_c_generic_address_space", Spec: secSpace, Doc: "the pointer if it points to private memory, else null", Flags: pointeeResult | NoSideEffect, Impl: ImplOp, Emit: emitToSpace},
	{Name: "get_fence", Sigs: []string{"cl_mem_fence_flags get_fence(generic void*)", "cl_mem_fence_flags get_fence(generic const void*)"}, Requires: "2.0 __opencl_c_generic_address_space", Spec: secSpace, Doc: "memory fence flags of the memory that the pointer points to", Flags: NoSideEffect, Impl: ImplOp, Emit: emitGetFence},
}

const extAsync = "cl_khr_extended_async_copies"

var asyncRows = []Row{
	{Name: "async_work_group_copy", Sigs: []string{"event_t $@(local gentype*, const global gentype*, size_t, event_t)", "event_t $@(global gentype*, const local gentype*, size_t, event_t)"}, Spec: secAsync, Doc: "copies num_gentypes elements, by all work-items of the work-group", Flags: Convergent, Impl: ImplBody},
	{Name: "async_work_group_strided_copy", Sigs: []string{"event_t $@(local gentype*, const global gentype*, size_t, size_t, event_t)", "event_t $@(global gentype*, const local gentype*, size_t, size_t, event_t)"}, Spec: secAsync, Doc: "gathers from or scatters to global memory with a stride in elements", Flags: Convergent, Impl: ImplBody},
	{Name: "wait_group_events", Sigs: []string{"void wait_group_events(int, any event_t*)"}, Spec: secAsync, Doc: "waits for async copies to complete", Flags: Convergent, Impl: ImplOp, Emit: emitWaitEvents},
	{Name: "prefetch", Sigs: []string{"void prefetch(const global gentype*, size_t)"}, Spec: secAsync, Doc: "a hint to bring memory into the cache; has no effect", Impl: ImplOp, Emit: emitNothing},
	{Name: "async_work_group_copy_2D2D", Sigs: []string{"event_t $@(local void*, size_t, const global void*, size_t, size_t, size_t, size_t, size_t, size_t, event_t)", "event_t $@(global void*, size_t, const local void*, size_t, size_t, size_t, size_t, size_t, size_t, event_t)"}, Requires: extAsync, Spec: "Extended Async Copy Functions (6.15.11.2)", Doc: "copies lines of elements", Flags: Convergent, Impl: ImplBody},
	{Name: "async_work_group_copy_3D3D", Sigs: []string{"event_t $@(local void*, size_t, const global void*, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, event_t)", "event_t $@(global void*, size_t, const local void*, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, event_t)"}, Requires: extAsync, Spec: "Extended Async Copy Functions (6.15.11.2)", Doc: "copies planes of lines of elements", Flags: Convergent, Impl: ImplBody},
	{Name: "async_work_group_copy_fence", Sigs: []string{"void $@(cl_mem_fence_flags)"}, Requires: "cl_khr_async_work_group_copy_fence", Spec: "Async Copy Fence Function (6.15.11.3)", Doc: "orders the async copies before it and after it", Flags: Convergent, Impl: ImplOp, Emit: emitCopyFence},
	{Name: "__async_event", Sigs: []string{"event_t $@(event_t)"}, Spec: secAsync, Doc: "the event of the copies that follow: the argument, or a new one for 0; not for programs", Flags: Internal | Convergent, Impl: ImplOp, Emit: emitAsyncEvent},
	{Name: "__async_copy", Sigs: []string{"size_t $@(local void*, const global void*, size_t, size_t, size_t, size_t, size_t, size_t, size_t, event_t)", "size_t $@(global void*, const local void*, size_t, size_t, size_t, size_t, size_t, size_t, size_t, event_t)"}, Spec: secAsync, Doc: "the copy of bytes, rows, planes with the pitches of rows and planes, for an event; the rows that are left to the work-items; not for programs", Flags: Internal | Convergent, Impl: ImplOp, Emit: emitAsyncCopy},
	{Name: "__async_limit", Sigs: []string{"size_t $@(local void*, const global void*, size_t, size_t, size_t)", "size_t $@(global void*, const local void*, size_t, size_t, size_t)"}, Spec: secAsync, Doc: "the elements, at these pitches, up to the first that lies outside both objects; not for programs", Flags: Internal, Impl: ImplOp, Emit: emitAsyncLimit},
}

var miscRows = []Row{
	{Name: "shuffle", Sigs: []string{"gentypen shuffle(gentypem, ugentype)"}, Spec: secMisc, Doc: "components of x chosen by mask", Impl: ImplOp, Emit: emitShuffle},
	{Name: "shuffle2", Sigs: []string{"gentypen shuffle2(gentypem, gentypem, ugentype)"}, Spec: secMisc, Doc: "components of x and y chosen by mask", Impl: ImplOp, Emit: emitShuffle},
}

var printfRows = []Row{
	{Name: "printf", Sigs: []string{"int printf(constant const char*, ...)"}, Requires: "1.2", Spec: secPrintf, Doc: "formatted output", Flags: Variadic, Impl: ImplOp, Emit: emitPrintf},
}

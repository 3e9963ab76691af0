// Package ptx compiles kernels to NVIDIA's PTX: a work-item is a thread, a work-group a block.
//
// Input: a kernel's optimised scalar SSA with its calls inlined ([ssa.Func]). Output: the text of a PTX module with
// one entry, and the facts that a launch needs ([Kernel]): the layout of the parameter block, the accesses that
// findings name, the variables that it uses. The package must not know of drivers, devices and memory; package
// device launches its modules.
//
// # Pointers
//
// A pointer has the same bits as in every executor: the number of a memory object above ssa.ObjectShift, the byte
// offset below. Where the compiler proves which object a pointer points into (roots.go), a register holds the
// offset alone, and the object's address and size come from the parameter block. Addresses of local and private memory
// have 32 bits (addresses.go). Every access is first compared with its object's size. An access that fails the comparison,
// or is misaligned for its instruction, branches to a slow path after the kernel's blocks. A load is executed under the
// comparison's predicate, and its branch follows when the value is used, so that loads overlap. The slow path calls functions of
// the module (runtime.go), which record the finding and perform the access byte by byte as docs/faults.md defines. Calls pass
// their operands in local memory: a kernel takes the registers of functions that it calls even if no work-item calls them.
//
// # Arithmetic
//
// Every operation names its rounding mode, so that the assembler does not fuse operations. No operation flushes
// subnormals. Integers of 8 and 16 bits live in 32-bit registers, sign- or zero-extended by their kind. Conversions
// follow docs/decisions/0002; a fix-up follows an instruction that differs from it.
//
// # Errors of the driver's assembler
//
// The assembler (of drivers 580 and CUDA 13.0) makes wrong code of some correct PTX. Random kernels show such forms: they
// differ on a GPU and not on the simulator, and OPTIMIZATION_LEVEL 0 of the driver's linker cures them. (cuModuleLoadData and
// the linker may make different code of a text.) The generator avoids
//   - sub.u32 of a register from 0: -x >> 8, plus another number, shifts with the sign (negated);
//   - mul.hi.u32 whose result h is added more than once: a + h + h becomes a + h (integer);
//   - sub.s32 of a register from a constant in front of max and min: the constant is subtracted (saturating; other
//     constants than those of the kernel and what is computed from them, which the assembler finds by itself, are not avoided);
//   - add.sat.s32 and sub.sat.s32: (x - y) +sat y becomes x (saturating);
//   - the high half, as a half, of a register that a load of 8 or 16 bits has set: the low half is taken (splitWidened);
//   - cvt.rzi.f64.f64 in front of cvt.rzi.s32.f64: two conversions become one (floatToInt);
//   - ld.v4.s8 in front of cvt.f32.u32: the bytes keep their sign (loadChunk);
//   - ld.param of 8 or 16 bits whose upper bits do not matter, as in ~x << 16: it loads 4 bytes, and the kernel ends with a
//     misaligned address (narrow);
//   - cvt to 8 or 16 bits of what cvt.f32.f16 has made: the result is not extended to the register (floatToSat);
//   - selp.b64 whose condition compares the low halves of its operands, with uniform operands: the assembler does not set the
//     high half of the result (chooseBy);
//   - shl.b64 by 31: the assembler multiplies by -2^31 instead (shifted);
//   - two cvt.rmi.s32.f64 of selections between constants with one low half: one of the results is taken for the other
//     (package opt selects between the converted constants);
//   - a comparison with 0 of the disjunction of two selections between -1 and 0, and a branch to it in a branch: it becomes a
//     conjunction (package opt combines the conditions).
//
// # Preconditions
//
// Accesses whose offsets depend on work-item ids, loop counters and arguments alone are in bounds if a condition on the
// range, the arguments and the sizes of objects holds (precondition.go, counters.go). A kernel has up to three such
// conditions: about accesses in loops too, about those in loops that copies of the loops do not prove, about none in loops.
// A launch with new arguments evaluates them with interval arithmetic and takes the first that holds. Code for it has no
// checks of these accesses; it is shorter, and the driver compiles it sooner. A thread of such code may run several work-items
// of a small kernel (items.go).
//
// # Copies of loops and blocks
//
// Code whose accesses can be proved in bounds at its entry is emitted again without their checks: innermost counted loops
// (loops.go), also for four iterations at a time (fours.go), and blocks (blocks.go). Other short loops are emitted several
// times in a row (rounds.go).
//
// # Termination
//
// Loops decrement a counter at each back edge. When it reaches 0, they read a word that the host sets to stop the
// launch. Loops of a few iterations, whose number is constant, do not. At a barrier that is not proved uniform, the work-items
// compare which barrier they wait at. A load through a pointer that is declared const and restrict is uniform if its
// address is.
//
// # Layers
//
// A generator is a stack of layers. Each is a type that embeds the one below, so that it uses what lies below it and
// nothing above. The receiver of all layers is named g, for the generator whose part it is. From the bottom up:
//   - emitter (emitter.go): text, registers, labels, constants, the parameter block;
//   - subject (subject.go): the kernel, its options, control flow and uses of values, without any code; beside emitter;
//   - arithmetic (arith.go, bits.go, convert.go): operations and conversions of operands;
//   - workItems (workitems.go): ids and sizes;
//   - operandTable (operands.go, roots.go, index.go): the registers of values, the objects that pointers point into;
//   - inductions (inductions.go): the steps of values in loops;
//   - memory (memory.go, addresses.go, atomic.go): accesses, their checks and slow paths; it asks facts (facts.go);
//   - subGroups (masks.go): sub-group functions and lane masks;
//   - values (value.go, groups.go, image.go): the code of each operation;
//   - versions (loops.go, blocks.go, fours.go, rounds.go): the choice between copies of loops and blocks;
//   - control (control.go): blocks, terminators and edges;
//   - generator (function.go, copies.go): the order of blocks and copies, the module's text.
//
// Start reading at kernel.go, then function.go.
package ptx

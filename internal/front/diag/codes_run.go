package diag

// The codes of a kernel's mistakes at run time. Their names are those of exec's kinds of findings; codes that fail
// a launch are errors. Uninitialized and DivisionByZero, which the compiler also reports, are codes of package
// check.
var (
	_ = newCode(Code{Name: "out-of-bounds", Severity: Error,
		Doc:  "A load or store touched bytes outside of its memory object. The load gave 0, the store was dropped; nothing else was touched, and the launch fails. The first work-item that did it is named.",
		Spec: "OpenCL C, Address Space Qualifiers, 6.7"})
	_ = newCode(Code{Name: "null-pointer", Severity: Error,
		Doc: "A load or store went through a null pointer, such as a buffer argument that was set to NULL. The load gave 0, the store was dropped, and the launch fails."})
	_ = newCode(Code{Name: "wild-pointer", Severity: Error,
		Doc: "A load or store went through a pointer whose bits name no memory object of the launch: it was made from an integer, or read from memory that holds no pointer."})
	_ = newCode(Code{Name: "constant-write", Severity: Error,
		Doc:  "A store went to constant memory or to a read-only buffer. It was dropped and the launch fails.",
		Spec: "OpenCL C, __constant or constant, 6.7.3"})
	_ = newCode(Code{Name: "barrier-divergence", Severity: Error,
		Doc:  "Some work-items of a work-group reached a barrier that others do not reach. All work-items must execute the same barrier, in the same iteration of the loops around it.",
		Spec: "OpenCL C, Synchronization Functions, 6.15.8"})
	_ = newCode(Code{Name: "misaligned", Severity: Warning,
		Doc:  "An access through a pointer that does not have the alignment of its type. It works here; other devices may fault or give wrong data. Use vload and vstore for data of lesser alignment.",
		Spec: "OpenCL C, Alignment of Types, 6.3.5"})
	_ = newCode(Code{Name: "race-in-group", Severity: Warning,
		Doc:  "Two work-items of a work-group access the same bytes, at least one writes, and nothing orders them: no barrier of that memory, no release that the other acquires. Atomic accesses do not race if their scopes include both work-items.",
		Spec: "OpenCL, Memory Ordering Rules, 3.3.4"})
	_ = newCode(Code{Name: "race-between-groups", Severity: Warning,
		Doc:  "Work-items of different work-groups access the same bytes, at least one writes, and nothing orders them. No barrier orders work-groups; an atomic release of device scope that the other one acquires does. Atomic accesses do not race if their scopes include both work-items.",
		Spec: "OpenCL, Memory Ordering Rules, 3.3.4"})
	_ = newCode(Code{Name: "divide-overflow", Severity: Warning,
		Doc:  "The least integer of its type was divided by -1. The standard leaves the result open; here the quotient is that integer and the remainder 0.",
		Spec: "OpenCL C, Arithmetic Operators, 6.5.1"})
	_ = newCode(Code{Name: "convert-out-of-range", Severity: Warning,
		Doc:  "A floating-point number was converted to an integer type that cannot hold it, without _sat. The standard leaves the result open; here it is what docs/decisions/0002 lists. Use the _sat form for a defined one.",
		Spec: "OpenCL C, Out-of-Range Behavior and Saturated Conversions, 6.4.3.3"})
	_ = newCode(Code{Name: "index-out-of-range", Severity: Warning,
		Doc: "A vector was indexed with a number that none of its elements has. Reading gives 0, writing nothing."})
	_ = newCode(Code{Name: "bad-pointer-cast", Severity: Warning,
		Doc:  "A generic pointer was cast to a named address space that its object is not in. The result is a null pointer.",
		Spec: "OpenCL C, Address Space Qualifier Functions, 6.15.10"})
	_ = newCode(Code{Name: "nan-result", Severity: Warning,
		Doc:  "An operation made a NaN of operands that are none, such as 0/0, infinity minus infinity or the square root of a negative number. NaNs spread from there. purecl run --check=pedantic watches for it.",
		Spec: "OpenCL C, Relative Error as ULPs, 7.4; IEEE 754, 7.2"})
	_ = newCode(Code{Name: "signed-overflow", Severity: Warning,
		Doc:  "A sum, difference or product of signed integers is outside its type. It wraps here; other compilers assume that it does not happen. Compute in a larger or an unsigned type. purecl run --check=pedantic watches for it.",
		Spec: "C99 6.5 Expressions"})
	_ = newCode(Code{Name: "shift-too-large", Severity: Warning,
		Doc:  "An integer was shifted by as many bits as it has, or more, or by a negative number. OpenCL C takes the count modulo that number, so that a shift of an int by 32 changes nothing; C leaves it open. purecl run --check=pedantic watches for it.",
		Spec: "OpenCL C, Operators, 6.5 j"})
	_ = newCode(Code{Name: "image-format", Severity: Warning,
		Doc:  "An image was read or written with a function that does not fit its channel data type: read_imagef and write_imagef are for normalized and floating-point types, those ending in i for signed integers, those in ui for unsigned ones. The standard leaves the result open; here the bits of the channels are read and written.",
		Spec: "OpenCL C, Built-in Image Read Functions, 6.15.15.2"})
	_ = newCode(Code{Name: "async-arguments", Severity: Warning,
		Doc:  "Work-items of a work-group call an async copy or wait_group_events with different arguments. The work-group does one copy or wait, and all its work-items must give the same arguments; here those of the first one count.",
		Spec: "OpenCL C, Async Copies from Global to Local Memory, Local to Global Memory, and Prefetch, 6.15.11"})
	_ = newCode(Code{Name: "async-event", Severity: Warning,
		Doc:  "wait_group_events was given an event that no async copy of the work-group has returned, such as 0, and waits for nothing in its place; or a work-group ended without waiting for one of its async copies. The standard leaves open what happens.",
		Spec: "OpenCL C, Async Copies from Global to Local Memory, Local to Global Memory, and Prefetch, 6.15.11"})
)

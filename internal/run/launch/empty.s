// An assembler file lets the package declare functions of the runtime without bodies.

// options: -cl-std=CL2.0
// So are those of atomic types from 2.0 on.
int atomic_uint /* ERROR redefinition "redefinition of 'atomic_uint' as different kind of symbol" */;

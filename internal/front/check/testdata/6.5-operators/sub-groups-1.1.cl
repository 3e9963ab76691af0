// options: -cl-std=CL1.1
// Sub-group functions begin with 1.2.
kernel void k(global int *p) { p[0] = get_sub_group_size /* ERROR undeclared-identifier "use of undeclared identifier 'get_sub_group_size'" */(); p[1] = sub_group_reduce_add /* ERROR ambiguous-call "call to 'sub_group_reduce_add' is ambiguous" */(1); sub_group_barrier /* ERROR undeclared-identifier "use of undeclared identifier 'sub_group_barrier'" */(CLK_LOCAL_MEM_FENCE); p[2] = get_sub_group_local_id /* ERROR undeclared-identifier "use of undeclared identifier 'get_sub_group_local_id'" */();}

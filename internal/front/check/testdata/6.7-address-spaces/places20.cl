// options: -cl-std=CL2.0
// extern and static variables live where program-scope variables may.

extern local float extern_local /* ERROR program-scope-space "extern variable must reside in global or constant address space" */;
extern float extern_none;

void scope(int n) {
  static int counter = 0;
  static global int other = 0;
  static private int own /* ERROR program-scope-space "static local variable must reside in global or constant address space" */ = 0;
  extern int extern_here;
  extern local int extern_there /* ERROR program-scope-space "extern variable must reside in global or constant address space" */;
  static local int shared /* ERROR program-scope-space "static local variable must reside in global or constant address space" */;
}

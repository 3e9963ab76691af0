// options: -cl-std=CL1.2
// Before 2.0 programs may use the names that 2.0 declares.
typedef int memory_order;
struct memory_scope { int x; };
enum e { memory_order_relaxed };

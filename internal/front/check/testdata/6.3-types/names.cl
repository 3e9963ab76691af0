// options: -cl-std=CL2.0
// At program scope the names of the language's types and enumerators are taken.
int memory_order /* ERROR redefinition "redefinition of 'memory_order' as different kind of symbol" */;
int size_t /* ERROR redefinition "redefinition of 'size_t' as different kind of symbol" */;
int event_t /* ERROR redefinition "redefinition of 'event_t' as different kind of symbol" */;
typedef int memory_scope /* ERROR redefinition "typedef redefinition with different types ('int' vs 'enum memory_scope')" */;
typedef enum memory_order memory_order;
struct memory_scope /* ERROR wrong-tag-kind "use of 'memory_scope' with tag type that does not match previous declaration" */ { int x; };
enum memory_order /* ERROR redefinition "redefinition of 'memory_order'" */ { A };
enum e { memory_order_relaxed /* ERROR redefinition "redefinition of 'memory_order_relaxed'" */ };
typedef int memory_order_acquire /* ERROR redefinition "redefinition of 'memory_order_acquire' as different kind of symbol" */;
int memory_scope_device /* ERROR redefinition "redefinition of 'memory_scope_device' as different kind of symbol" */ (void);
constant int memory_scope_work_group /* ERROR redefinition "redefinition of 'memory_scope_work_group' as different kind of symbol" */ = 1;

// Inside functions they may be declared as something else.
kernel void k(void) { int atomic_float = 1; int float4 = 3; int uint; int memory_scope_device = 1; enum memory_order { B }; typedef int memory_scope; }

// A memory order is an enumeration without negative values.
kernel void order(global atomic_int *p, memory_order o) {
  enum memory_scope s = memory_scope_device;
  _Static_assert(sizeof(o) == 4 && (memory_order)-1 > 0, "");
  atomic_store_explicit(p, 1, o, s);
  atomic_store_explicit(p, 1, 0, 2);
}

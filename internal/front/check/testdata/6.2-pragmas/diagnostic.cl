// options: -Wunused-variable
// #pragma clang diagnostic, also GCC's, changes what becomes of warnings from its place on.
#define QUIET(x) _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunused-variable\"") x _Pragma("clang diagnostic pop")
void f(void) {
  int a /* WARNING unused-variable "unused variable 'a'" */;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-variable"
  int b;
#pragma clang diagnostic warning "-Wunused-" "variable"
  int c /* WARNING unused-variable "unused variable 'c'" */;
#pragma GCC diagnostic warning "-Wunused-variable"
  int d /* WARNING unused-variable "unused variable 'd'" */;
#pragma clang diagnostic pop
  int e /* WARNING unused-variable "unused variable 'e'" */;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wall"
  int g;
#pragma clang diagnostic pop
  QUIET(int h;)
  int i /* WARNING unused-variable "unused variable 'i'" */;
#pragma clang diagnostic ignored "-Wno-such-warning"
#pragma clang diagnostic pop /* WARNING unknown-pragmas "pragma diagnostic pop could not pop, no matching push" */
#pragma clang diagnostic foo /* WARNING unknown-pragmas "pragma diagnostic expected 'error', 'warning', 'ignored', 'fatal', 'push', or 'pop'" */ "-Wx"
#pragma clang diagnostic ignored "Wx" /* WARNING unknown-pragmas "pragma diagnostic expected option name (e.g. \"-Wundef\")" */
#pragma clang diagnostic ignored "-Wx" x /* WARNING unknown-pragmas "unexpected token in pragma diagnostic" */
#pragma clang diagnostic ignored "-Weverything"
  int j;
}

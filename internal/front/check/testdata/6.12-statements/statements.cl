// Statements (C99 6.8).

constant int C = 3;
enum { E = 4 };

void f(int n, float x, int4 v, global int *p) {
  if (x) n = 1;
  if (v /* ERROR condition-type "statement requires expression of scalar type ('int4' invalid)" */) n = 1;
  if (p) n = 1;
  if (v.x) n = 1;
  while (v /* ERROR condition-type "statement requires expression of scalar type ('int4' invalid)" */ < 1) n++;
  do n--; while (v /* ERROR condition-type "statement requires expression of scalar type ('int4' invalid)" */);
  for (int i = 0; i /* ERROR condition-type "statement requires expression of scalar type ('int4' invalid)" */ < v; i++) n++;
  for (; p;) break;
  if (n = /* WARNING parentheses "using the result of an assignment as a condition without parentheses" */ 1) n = 2;
  if (n); /* WARNING empty-body "if statement has empty body" */
  switch (n) {
  case 1: case 2 ... 3: n = 1;
  case E: break;
  case C /* ERROR duplicate-case "duplicate case value '3'" */: break;
  case 1 /* ERROR duplicate-case "duplicate case value '1'" */: break;
  case 2 + 5: break;
  case 1.5f /* ERROR not-constant "expression is not an integer constant expression" */: break;
  case 10 /* WARNING empty-case-range "empty case range specified" */ ... 8: break;
  default: break;
  default /* ERROR duplicate-case "multiple default labels in one switch" */: break;
  }
  switch (x /* ERROR condition-type "statement requires expression of integer type ('float' invalid)" */) { case 1: ; }
  switch (p /* ERROR condition-type "statement requires expression of integer type ('__global int *' invalid)" */) { default: ; }
  switch ((char)n) { case 1000: n = 1; }
  switch (n) { int y; case 1: { case 2: n = 3; } }
  break /* ERROR stray-jump "'break' statement not in loop or switch statement" */;
  continue /* ERROR stray-jump "'continue' statement not in loop statement" */;
  case /* ERROR stray-jump "'case' statement not in switch statement" */ 5: n = 1;
  default /* ERROR stray-jump "'default' statement not in switch statement" */: n = 2;
  while (1) { switch (n) { case 1: continue; } }
  goto end;
  goto nowhere /* ERROR undeclared-label "use of undeclared label 'nowhere'" */;
again: n = 1;
again /* ERROR redefinition "redefinition of label 'again'" */: n = 2;
  ({ int z = n; z; });
  n = ({ int z = n; z + 1; });
  int a; { int a = 1; n = a; }
  n /* WARNING unused-value "expression result unused" */ + 1;
  n == /* WARNING unused-comparison "equality comparison result unused" */ 1;
  n /* WARNING unused-value "expression result unused" */, n + 1;
  (void)n;
  x /* WARNING unused-value "expression result unused" */ * 2;
  * /* WARNING unused-value "expression result unused" */p;
  p /* WARNING unused-value "expression result unused" */[0];
  f /* ERROR function-pointer "taking address of function is not allowed" */;
end:;
}

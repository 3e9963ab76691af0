// An attribute that the language does not have is reported and ignored wherever attributes may stand.
struct __attribute__((a1 /* WARNING unknown-attributes "unknown attribute 'a1' ignored" */)) s { int x __attribute__((a2 /* WARNING unknown-attributes "'a2'" */)); } __attribute__((a3 /* WARNING unknown-attributes "'a3'" */));
enum __attribute__((a4 /* WARNING unknown-attributes "'a4'" */)) e { A __attribute__((a5 /* WARNING unknown-attributes "'a5'" */)), B __attribute__((a6 /* WARNING unknown-attributes "'a6'" */)) = 3 } __attribute__((a7 /* WARNING unknown-attributes "'a7'" */));
int * __attribute__((a8 /* WARNING unknown-attributes "'a8'" */)) p(void);
void f(__attribute__((a9 /* WARNING unknown-attributes "'a9'" */)) int x, int y __attribute__((b1 /* WARNING unknown-attributes "'b1'" */))) {
  __attribute__((b2 /* WARNING unknown-attributes "'b2'" */));
  __attribute__((b3 /* WARNING unknown-attributes "'b3'" */)) x = 1;
  __attribute__((b4 /* WARNING unknown-attributes "'b4'" */)) if (x) __attribute__((b5 /* WARNING unknown-attributes "'b5'" */)) return;
  __attribute__((b6 /* WARNING unknown-attributes "'b6'" */)) { x = 2; }
  l: __attribute__((b7 /* WARNING unknown-attributes "'b7'" */)) x++;
  __attribute__((b8 /* WARNING unknown-attributes "'b8'" */)) m: ;
  if (x) goto l;
  if (y) goto m;
  __attribute__((b9 /* WARNING unknown-attributes "'b9'" */)) switch (x) {
    __attribute__((c1 /* WARNING unknown-attributes "'c1'" */)) case 1: x = 2;
    case 2: __attribute__((c2 /* WARNING unknown-attributes "'c2'" */)) x = 3;
  }
  __attribute__((c3 /* WARNING unknown-attributes "'c3'" */)) do __attribute__((c4 /* WARNING unknown-attributes "'c4'" */)) x++; while (x < 3);
  __attribute__((c5 /* WARNING unknown-attributes "'c5'" */)) return;
}

// Its arguments are expressions; the first may be any name. An attribute with an error in them is reported for that alone.
__attribute__((d1 /* WARNING unknown-attributes "'d1'" */(nowhere, 1 + 2, "a"))) void g(void);
__attribute__((d2(1, nowhere /* ERROR undeclared-identifier "nowhere" */))) void h(void);
__attribute__((d3(nowhere /* ERROR undeclared-identifier "nowhere" */ + 1))) void i(void);
__attribute__((d4(int /* ERROR expected-expression "expected expression" */))) void j(void);

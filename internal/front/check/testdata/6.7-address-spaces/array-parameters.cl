// options: -cl-std=CL2.0
// The elements of a parameter that is an array are private, those of a pointer generic.
typedef int four[4];
void bounded(const int x[64]);
void open(int x[]);
void named(four x);
void spaced(global int x[4]);
void rows(int x[2][3]);
void pointer(int *x);
void use(int own[4], int *any, global int *far, local int *near) {
	bounded(any /* ERROR address-space "passing '__generic int *' to parameter of type 'const __private int *'" */);
	open(far /* ERROR address-space "passing '__global int *' to parameter of type '__private int *'" */);
	named(near /* ERROR address-space "passing '__local int *' to parameter of type '__private int *'" */);
	spaced(any /* ERROR address-space "passing '__generic int *' to parameter of type '__global int *'" */);
	rows(any /* ERROR address-space "to parameter of type '__private int (*)[3]'" */);
	private int *p = own;
	int **pp = & /* ERROR address-space "with an expression of type '__private int *__private *'" */own;
	global int *g = own /* ERROR address-space "with an expression of type '__private int *'" */;
	int a[4];
	bounded(a), open(own), named(p), spaced(far), pointer(own);
}

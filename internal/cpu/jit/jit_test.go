//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

const kernels = `
kernel void saxpy(global const float* x, global float* y, float a){ int i=get_global_id(0); y[i]=a*x[i]+y[i]; }
kernel void mandel(global int* out, int w, int h, int maxit){
  int px=get_global_id(0), py=get_global_id(1);
  float cx=-2.0f+px*3.0f/w, cy=-1.0f+py*2.0f/h, x=0,y=0; int n=0;
  while(n<maxit && x*x+y*y<4.0f){ float t=x*x-y*y+cx; y=2*x*y+cy; x=t; n++; }
  out[py*w+px]=n;
}
kernel void matmul(global const float*A, global const float*B, global float*C, int n){
  int j=get_global_id(0), i=get_global_id(1); float s=0;
  for(int k=0;k<n;k++) s+=A[i*n+k]*B[k*n+j];
  C[i*n+j]=s;
}
kernel void sobel(global const uchar* in, global uchar* out, int w, int h){
  int x=get_global_id(0), y=get_global_id(1);
  if(x<1||y<1||x>=w-1||y>=h-1) { return; }
  int gx=0,gy=0;
  gx = in[(y-1)*w+x+1]+2*in[y*w+x+1]+in[(y+1)*w+x+1]-in[(y-1)*w+x-1]-2*in[y*w+x-1]-in[(y+1)*w+x-1];
  gy = in[(y+1)*w+x-1]+2*in[(y+1)*w+x]+in[(y+1)*w+x+1]-in[(y-1)*w+x-1]-2*in[(y-1)*w+x]-in[(y-1)*w+x+1];
  out[y*w+x]=convert_uchar_sat(abs(gx)+abs(gy));
}
kernel void reduce(global const float* in, global float* out, local float* tmp){
  int l=get_local_id(0); tmp[l]=in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
  for(int s=get_local_size(0)/2;s>0;s>>=1){ if(l<s) tmp[l]+=tmp[l+s]; barrier(CLK_LOCAL_MEM_FENCE);}
  if(l==0) out[get_group_id(0)]=tmp[0];
}
kernel void conv(global const float4* a, global uchar4* b){ int i=get_global_id(0); b[i]=convert_uchar4_sat_rte(a[i]); }
kernel void gather(global const float* a, global const int* ix, global float* b){ int i=get_global_id(0); b[ix[i]]=a[ix[i^1]]+a[i*3%40]; }
kernel void hist(global const uchar* a, global int* h){ int i=get_global_id(0); atomic_inc(h+(a[i]&15)); }
kernel void priv(global const int* a, global int* b){ int i=get_global_id(0); int t[8]; for(int k=0;k<8;k++) t[k]=a[i]*k; b[i]=t[a[i]&7]+t[(a[i]>>3)&7]; }
kernel void collatz(global const uint* a, global int* b){ int i=get_global_id(0); uint x=a[i]; int n=0;
  while(x!=1 && n<500){ if(x&1) x=3*x+1; else x/=2; if(x>100000u){ n+=1000; break; } if (n==77) {continue;} n++; if (n>400) {b[i]=-1; return;} } b[i]=n; }
kernel void sw(global const int* a, global int* b){ int i=get_global_id(0); int r; switch(a[i]&7){ case 0: r=5; break; case 1: r=a[i]; case 2: r=7*i; break; case 5: b[i]=1; return; default: r=-1; } b[i]=r; }
kernel void tiled(global const float* A, global const float* B, global float* C, int n){
  local float a[8][8], b[8][8]; int x=get_global_id(0), y=get_global_id(1), lx=get_local_id(0), ly=get_local_id(1); float s=0;
  for(int t=0;t<n;t+=8){ a[ly][lx]=A[y*n+t+lx]; b[ly][lx]=B[(t+ly)*n+x]; barrier(CLK_LOCAL_MEM_FENCE);
    for(int k=0;k<8;k++) s+=a[ly][k]*b[k][lx]; barrier(CLK_LOCAL_MEM_FENCE); }
  C[y*n+x]=s;
}
kernel void scan(global const int* in, global int* out, local int* t){
  int l=get_local_id(0), n=get_local_size(0); t[l]=in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
  for(int d=1;d<n;d*=2){ int v=t[l]; if(l>=d) v+=t[l-d]; barrier(CLK_LOCAL_MEM_FENCE); t[l]=v; barrier(CLK_LOCAL_MEM_FENCE); }
  out[get_global_id(0)]=t[l]+(int)get_group_id(0)*1000;
}
kernel void vec3(global const float* a, global float* b){ int i=get_global_id(0); float3 v=vload3(i,a); vstore3(v.zxy*2.0f,i,b); }
`

// TestKernels compares whole kernels with the reference executor, in ranges with whole and partial gangs.
func TestKernels(t *testing.T) {
	m := build(t, kernels)
	if f := os.Getenv("JIT_ONLY"); f != "" {
		fmt.Println(m.Func(f))
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	noise := func(n int) buf { return floats(n, func(int) float32 { return rnd.Float32()*400 - 100 }) }
	bytesOf := func(n int) buf {
		return filled(n, func(i int) byte { return byte(rnd.Uint32()) })
	}
	ints := func(n, max int) buf {
		b := buf{}
		for range n {
			b = append(b, i32(rnd.IntN(max))...)
		}
		return b
	}
	zeros := func(n int) buf { return make(buf, n) }
	do := func(name string, global, local []uint64, list ...any) {
		t.Run(name, func(t *testing.T) { same(t, m, name, global, local, true, list...) })
	}
	for _, n := range []int{1, 7, 16, 37, 1000} {
		do("saxpy", []uint64{uint64(n)}, nil, noise(n), noise(n), f32(1.5))
		do("conv", []uint64{uint64(n)}, nil, noise(4*n), zeros(4*n))
	}
	do("mandel", []uint64{61, 20}, nil, zeros(4*61*20), i32(61), i32(20), i32(100))
	do("matmul", []uint64{33, 20}, nil, noise(33*33), noise(33*33), zeros(33*33*4), i32(33))
	do("sobel", []uint64{50, 21}, nil, bytesOf(50*21), zeros(50*21), i32(50), i32(21))
	do("reduce", []uint64{256}, []uint64{64}, noise(256), zeros(16), 256)
	do("reduce", []uint64{80}, []uint64{8}, noise(80), zeros(40), 32)
	do("tiled", []uint64{24, 16}, []uint64{8, 8}, noise(24*24), noise(24*24), zeros(24*24*4), i32(24))
	for _, n := range []uint64{1, 13, 16, 40, 97} {
		do("scan", []uint64{2 * n}, []uint64{n}, ints(int(2*n), 100), zeros(int(8*n)), int(4*n))
	}
	do("gather", []uint64{100}, []uint64{1}, noise(100), buf(permutation(rnd, 100)), zeros(400))
	do("hist", []uint64{999}, nil, bytesOf(999), zeros(64))
	do("priv", []uint64{100}, nil, ints(100, 1000), zeros(400))
	do("collatz", []uint64{100}, nil, ints(100, 1000), zeros(400))
	do("sw", []uint64{100}, nil, ints(100, 1000), zeros(400))
	do("vec3", []uint64{33}, nil, noise(99), zeros(33*12))
	// Out of bounds.
	do("saxpy", []uint64{100}, nil, noise(100), noise(60), f32(1.5))
	do("saxpy", []uint64{100}, nil, nil, noise(60), f32(1.5))
	do("gather", []uint64{100}, nil, noise(50), buf(permutation(rnd, 100)), zeros(400))
}

func permutation(rnd *rand.Rand, n int) []byte {
	var b []byte
	for _, p := range rnd.Perm(n) {
		b = append(b, i32(p)...)
	}
	return b
}

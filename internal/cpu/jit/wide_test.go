//go:build amd64 && (linux || darwin || windows)

package jit

import "testing"

// TestWide compares operations on 64-bit elements, each by itself.
func TestWide(t *testing.T) {
	m := build(t, `
kernel void a1(global const double* a, global double* b){ int i=get_global_id(0); b[i]=as_double(as_long(a[i])>>52); }
kernel void a2(global const double* a, global double* b){ int i=get_global_id(0); b[i]=as_double((as_long(a[i])>>52)*0x5556); }
kernel void a3(global const double* a, global double* b){ int i=get_global_id(0); b[i]=as_double((as_long(a[i])&0xfffffffffffffL)|0x3ff0000000000000L); }
kernel void a4(global const double* a, global double* b){ int i=get_global_id(0); b[i]=fma(2.5, a[i], 3.5); }
kernel void a5(global const double* a, global double* b){ int i=get_global_id(0); b[i]=as_long(a[i])%3==1?1.5:2.5; }
kernel void a6(global const double* a, global double* b){ int i=get_global_id(0); b[i]=as_double(as_long(a[i])<<3) ; }
kernel void a7(global const double* a, global double* b){ int i=get_global_id(0); b[i]=as_long(a[i])==7 ? 2.5 : as_long(a[i])>0x4000000000000000L ? 3.5 : 4.5; }
kernel void a8(global const double* a, global double* b){ int i=get_global_id(0); b[i]=(float)(a[i]*2.5+a[i]/3.7); }
kernel void a9(global const double* a, global double* b){ int i=get_global_id(0); b[i]=a[i]-3.5; b[i+32]=3.5-a[i]; b[i+64]=fma(a[i],3.5,2.5); b[i+96]=fma(a[i],a[i],2.5); }
kernel void b1(global const float* a, global float* b){ int i=get_global_id(0); b[i]=sin(a[i]*1e30f); b[i+32]=cbrt(a[i]); b[i+64]=lgamma(a[i]); }
`)
	for _, f := range m.Funcs {
		a := buf{}
		for i := range 32 {
			a = append(a, floats(2, func(k int) float32 { return float32(k*i) * 2.5 })...)
		}
		same(t, m, f.Name, []uint64{32}, nil, true, a, make(buf, 1024))
	}
}

# A session of PyOpenCL on the driver; results are compared with NumPy's.
import numpy as np, pyopencl as cl, pyopencl.array as cla
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import GenericScanKernel, InclusiveScanKernel
import pyopencl.tools, pyopencl.clrandom, pyopencl.clmath as clmath
ctx = cl.create_some_context(interactive=False); q = cl.CommandQueue(ctx, properties=cl.command_queue_properties.PROFILING_ENABLE)
rng=np.random.default_rng(1)
a=rng.standard_normal(5000).astype(np.float32); b=rng.standard_normal(5000).astype(np.float32)
A=cla.to_device(q,a); B=cla.to_device(q,b)
np.testing.assert_allclose((A+B*2-A/3).get(), a+b*2-a/3, rtol=1e-5)
k=ElementwiseKernel(ctx,"float a, float *x, float b, float *y, float *z","z[i]=a*x[i]+b*y[i]","lin"); Z=cla.empty_like(A); k(5,A,6,B,Z)
np.testing.assert_allclose(Z.get(),5*a+6*b,rtol=1e-5,atol=1e-5) # one product is fused
r=ReductionKernel(ctx,np.float32,neutral="0",reduce_expr="a+b",map_expr="x[i]*y[i]",arguments="__global float *x, __global float *y")
np.testing.assert_allclose(r(A,B).get(),np.dot(a,b),rtol=1e-3)
s=InclusiveScanKernel(ctx,np.int32,"a+b",neutral="0"); n=rng.integers(0,100,10000).astype(np.int32); N=cla.to_device(q,n); s(N)
assert (N.get()==np.cumsum(n)).all()
dt=np.dtype([("id",np.int32),("v",np.float32)]); dt,cdecl=cl.tools.match_dtype_to_c_struct(ctx.devices[0],"pair_t",dt); dt=cl.tools.get_or_register_dtype("pair_t",dt)
h=np.zeros(100,dt); h["id"]=np.arange(100); h["v"]=np.sqrt(np.arange(100)); H=cla.to_device(q,h)
p=cl.Program(ctx,cdecl+"__kernel void f(__global pair_t *p){int i=get_global_id(0); p[i].v*=2; p[i].id+=1;}").build(); p.f(q,(100,),None,H.data)
g=H.get(); assert (g["id"]==np.arange(1,101)).all(); np.testing.assert_allclose(g["v"],2*np.sqrt(np.arange(100),dtype=np.float32),rtol=1e-6)
np.testing.assert_allclose(clmath.sin(A).get(),np.sin(a),rtol=1e-5,atol=1e-6)
assert cla.max(A).get()==a.max()
X=pyopencl.clrandom.rand(q,(1000,),np.float32).get(); assert 0.4<X.mean()<0.6
src="""__constant sampler_t s=CLK_NORMALIZED_COORDS_FALSE|CLK_ADDRESS_CLAMP|CLK_FILTER_NEAREST;
__kernel void inv(read_only image2d_t a, write_only image2d_t b){int2 p=(int2)(get_global_id(0),get_global_id(1)); write_imagef(b,p,1.0f-read_imagef(a,s,p));}"""
im=rng.integers(0,256,(32,48,4)).astype(np.uint8); f=cl.ImageFormat(cl.channel_order.RGBA,cl.channel_type.UNORM_INT8)
I=cl.image_from_array(ctx,im,4,norm_int=True); O=cl.Image(ctx,cl.mem_flags.WRITE_ONLY,f,shape=(48,32))
cl.Program(ctx,src).build().inv(q,(48,32),None,I,O); out=np.empty_like(im); cl.enqueue_copy(q,out,O,origin=(0,0),region=(48,32)); assert (out==255-im).all()
prg=cl.Program(ctx,"__kernel void k(__global int*a){a[get_global_id(0)]=N;}").build(options=["-DN=7"]); e=prg.k(q,(16,),None,N.data); e.wait(); assert e.profile.end>=e.profile.start
try:
    cl.Program(ctx, "__kernel void k(__global int *a) { a[0] = b; }").build()
    raise SystemExit("a wrong program was built")
except cl.RuntimeError as e:
    assert "undeclared identifier 'b'" in str(e)

package builtin

const (
	secImageRead   = "Built-in Image Read Functions (6.15.15.2)"
	secImageSample = "Built-in Image Sampler-less Read Functions (6.15.15.3)"
	secImageWrite  = "Built-in Image Write Functions (6.15.15.4)"
	secImageQuery  = "Built-in Image Query Functions (6.15.15.5)"
	secMipmap      = "cl_khr_mipmap_image"
	readWrite      = "2.0 __opencl_c_read_write_images"
	depthImages    = "2.0|cl_khr_depth_images"
	msaa           = "cl_khr_gl_msaa_sharing"
)

// imageRows are the functions of "Image Read and Write Functions" (6.15.15) and of the image extensions.
var imageRows = []Row{
	{Name: "read_image{f=float4,i=int4,ui=uint4}", Sigs: []string{
		"$=0 $@(read_only image2d_t, sampler_t, int2)", "$=0 $@(read_only image2d_t, sampler_t, float2)",
		"$=0 $@(read_only image3d_t, sampler_t, int4)", "$=0 $@(read_only image3d_t, sampler_t, float4)",
		"$=0 $@(read_only image2d_array_t, sampler_t, int4)", "$=0 $@(read_only image2d_array_t, sampler_t, float4)",
		"$=0 $@(read_only image1d_t, sampler_t, int)", "$=0 $@(read_only image1d_t, sampler_t, float)",
		"$=0 $@(read_only image1d_array_t, sampler_t, int2)", "$=0 $@(read_only image1d_array_t, sampler_t, float2)",
	}, Spec: secImageRead, Doc: "reads an element through a sampler", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageSample},
	{Name: "read_imageh", Sigs: []string{
		"half4 $@(read_only image2d_t, sampler_t, int2)", "half4 $@(read_only image2d_t, sampler_t, float2)",
		"half4 $@(read_only image3d_t, sampler_t, int4)", "half4 $@(read_only image3d_t, sampler_t, float4)",
		"half4 $@(read_only image2d_array_t, sampler_t, int4)", "half4 $@(read_only image2d_array_t, sampler_t, float4)",
		"half4 $@(read_only image1d_t, sampler_t, int)", "half4 $@(read_only image1d_t, sampler_t, float)",
		"half4 $@(read_only image1d_array_t, sampler_t, int2)", "half4 $@(read_only image1d_array_t, sampler_t, float2)",
	}, Requires: "cl_khr_fp16", Spec: secImageRead, Doc: "reads an element through a sampler, as half", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageSample},
	{Name: "read_imagef", Sigs: []string{
		"float $@(read_only image2d_depth_t, sampler_t, int2)", "float $@(read_only image2d_depth_t, sampler_t, float2)",
		"float $@(read_only image2d_array_depth_t, sampler_t, int4)", "float $@(read_only image2d_array_depth_t, sampler_t, float4)",
	}, Requires: depthImages, Spec: secImageRead, Doc: "reads a depth through a sampler", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageSample},
	{Name: "read_image{f=float4,i=int4,ui=uint4}", Sigs: []string{
		"$=0 $@(read_only image2d_t, int2)", "$=0 $@(read_only image3d_t, int4)", "$=0 $@(read_only image2d_array_t, int4)",
		"$=0 $@(read_only image1d_t, int)", "$=0 $@(read_only image1d_buffer_t, int)", "$=0 $@(read_only image1d_array_t, int2)",
	}, Requires: "1.2", Spec: secImageSample, Doc: "reads an element by its coordinates", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageRead},
	{Name: "read_imageh", Sigs: []string{
		"half4 $@(read_only image2d_t, int2)", "half4 $@(read_only image3d_t, int4)", "half4 $@(read_only image2d_array_t, int4)",
		"half4 $@(read_only image1d_t, int)", "half4 $@(read_only image1d_buffer_t, int)", "half4 $@(read_only image1d_array_t, int2)",
	}, Requires: "1.2 cl_khr_fp16", Spec: secImageSample, Doc: "reads an element by its coordinates, as half", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageRead},
	{Name: "read_imagef", Sigs: []string{"float $@(read_only image2d_depth_t, int2)", "float $@(read_only image2d_array_depth_t, int4)"},
		Requires: depthImages, Spec: secImageSample, Doc: "reads a depth by its coordinates", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageRead},
	{Name: "read_image{f=float4,i=int4,ui=uint4}", Sigs: []string{
		"$=0 $@(read_write image2d_t, int2)", "$=0 $@(read_write image3d_t, int4)", "$=0 $@(read_write image2d_array_t, int4)",
		"$=0 $@(read_write image1d_t, int)", "$=0 $@(read_write image1d_buffer_t, int)", "$=0 $@(read_write image1d_array_t, int2)",
	}, Requires: readWrite, Spec: secImageSample, Doc: "reads an element by its coordinates", Impl: ImplOp, Emit: emitImageRead},
	{Name: "read_imageh", Sigs: []string{
		"half4 $@(read_write image2d_t, int2)", "half4 $@(read_write image3d_t, int4)", "half4 $@(read_write image2d_array_t, int4)",
		"half4 $@(read_write image1d_t, int)", "half4 $@(read_write image1d_buffer_t, int)", "half4 $@(read_write image1d_array_t, int2)",
	}, Requires: readWrite + " cl_khr_fp16", Spec: secImageSample, Doc: "reads an element by its coordinates, as half", Impl: ImplOp, Emit: emitImageRead},
	{Name: "read_imagef", Sigs: []string{"float $@(read_write image2d_depth_t, int2)", "float $@(read_write image2d_array_depth_t, int4)"},
		Requires: readWrite, Spec: secImageSample, Doc: "reads a depth by its coordinates", Impl: ImplOp, Emit: emitImageRead},

	{Name: "read_image{f=float4,i=int4,ui=uint4}", Sigs: []string{
		"$=0 $@(read_only|read_write image1d_t, sampler_t, float, float)", "$=0 $@(read_only|read_write image1d_t, sampler_t, float, float, float)",
		"$=0 $@(read_only|read_write image1d_array_t, sampler_t, float2, float)", "$=0 $@(read_only|read_write image1d_array_t, sampler_t, float2, float, float)",
		"$=0 $@(read_only|read_write image2d_t, sampler_t, float2, float)", "$=0 $@(read_only|read_write image2d_t, sampler_t, float2, float2, float2)",
		"$=0 $@(read_only|read_write image2d_array_t, sampler_t, float4, float)", "$=0 $@(read_only|read_write image2d_array_t, sampler_t, float4, float2, float2)",
		"$=0 $@(read_only|read_write image3d_t, sampler_t, float4, float)", "$=0 $@(read_only|read_write image3d_t, sampler_t, float4, float4, float4)",
	}, Requires: "cl_khr_mipmap_image", Spec: secMipmap, Doc: "reads an element of a mip level", Flags: NoSideEffect},
	{Name: "read_imagef", Sigs: []string{
		"float $@(read_only|read_write image2d_depth_t, sampler_t, float2, float)", "float $@(read_only|read_write image2d_depth_t, sampler_t, float2, float2, float2)",
		"float $@(read_only|read_write image2d_array_depth_t, sampler_t, float4, float)", "float $@(read_only|read_write image2d_array_depth_t, sampler_t, float4, float2, float2)",
	}, Requires: "cl_khr_mipmap_image", Spec: secMipmap, Doc: "reads a depth of a mip level", Flags: NoSideEffect},
	{Name: "read_image{f=float4,i=int4,ui=uint4}", Sigs: []string{
		"$=0 $@(read_only|read_write image2d_msaa_t, int2, int)", "$=0 $@(read_only|read_write image2d_array_msaa_t, int4, int)",
	}, Requires: msaa, Spec: msaa, Doc: "reads a sample", Flags: NoSideEffect},
	{Name: "read_imagef", Sigs: []string{
		"float $@(read_only|read_write image2d_msaa_depth_t, int2, int)", "float $@(read_only|read_write image2d_array_msaa_depth_t, int4, int)",
	}, Requires: msaa, Spec: msaa, Doc: "reads a sample of a depth", Flags: NoSideEffect},

	{Name: "write_image{f=float4,i=int4,ui=uint4}", Sigs: []string{
		"void $@(write_only image2d_t, int2, $=0)", "void $@(write_only image2d_array_t, int4, $=0)", "void $@(write_only image1d_t, int, $=0)",
		"void $@(write_only image1d_buffer_t, int, $=0)", "void $@(write_only image1d_array_t, int2, $=0)",
	}, Spec: secImageWrite, Doc: "writes an element", Impl: ImplOp, Emit: emitImageWrite},
	{Name: "write_image{f=float4,i=int4,ui=uint4}", Sigs: []string{"void $@(write_only image3d_t, int4, $=0)"},
		Requires: "cl_khr_3d_image_writes|2.0", Spec: secImageWrite, Doc: "writes an element", Impl: ImplOp, Emit: emitImageWrite},
	{Name: "write_image{f=float4,i=int4,ui=uint4}", Sigs: []string{
		"void $@(read_write image2d_t, int2, $=0)", "void $@(read_write image2d_array_t, int4, $=0)", "void $@(read_write image1d_t, int, $=0)",
		"void $@(read_write image1d_buffer_t, int, $=0)", "void $@(read_write image1d_array_t, int2, $=0)", "void $@(read_write image3d_t, int4, $=0)",
	}, Requires: readWrite, Spec: secImageWrite, Doc: "writes an element", Impl: ImplOp, Emit: emitImageWrite},
	{Name: "write_imageh", Sigs: []string{
		"void $@(write_only image2d_t, int2, half4)", "void $@(write_only image2d_array_t, int4, half4)", "void $@(write_only image1d_t, int, half4)",
		"void $@(write_only image1d_buffer_t, int, half4)", "void $@(write_only image1d_array_t, int2, half4)",
	}, Requires: "cl_khr_fp16", Spec: secImageWrite, Doc: "writes an element given as half", Impl: ImplOp, Emit: emitImageWrite},
	{Name: "write_imageh", Sigs: []string{"void $@(write_only image3d_t, int4, half4)"}, Requires: "cl_khr_fp16 cl_khr_3d_image_writes|2.0", Spec: secImageWrite, Doc: "writes an element given as half", Impl: ImplOp, Emit: emitImageWrite},
	{Name: "write_imageh", Sigs: []string{
		"void $@(read_write image2d_t, int2, half4)", "void $@(read_write image2d_array_t, int4, half4)", "void $@(read_write image1d_t, int, half4)",
		"void $@(read_write image1d_buffer_t, int, half4)", "void $@(read_write image1d_array_t, int2, half4)", "void $@(read_write image3d_t, int4, half4)",
	}, Requires: readWrite + " cl_khr_fp16", Spec: secImageWrite, Doc: "writes an element given as half", Impl: ImplOp, Emit: emitImageWrite},
	{Name: "write_imagef", Sigs: []string{"void $@(write_only image2d_depth_t, int2, float)", "void $@(write_only image2d_array_depth_t, int4, float)"}, Requires: depthImages, Spec: secImageWrite, Doc: "writes a depth", Impl: ImplOp, Emit: emitImageWrite},
	{Name: "write_imagef", Sigs: []string{"void $@(read_write image2d_depth_t, int2, float)", "void $@(read_write image2d_array_depth_t, int4, float)"}, Requires: readWrite, Spec: secImageWrite, Doc: "writes a depth", Impl: ImplOp, Emit: emitImageWrite},
	{Name: "write_image{f=float4,i=int4,ui=uint4}", Sigs: []string{
		"void $@(write_only|read_write image2d_t, int2, int, $=0)", "void $@(write_only|read_write image2d_array_t, int4, int, $=0)", "void $@(write_only|read_write image1d_t, int, int, $=0)",
		"void $@(write_only|read_write image1d_array_t, int2, int, $=0)", "void $@(write_only|read_write image3d_t, int4, int, $=0)",
	}, Requires: "cl_khr_mipmap_image_writes", Spec: secMipmap, Doc: "writes an element of a mip level"},
	{Name: "write_imagef", Sigs: []string{"void $@(write_only|read_write image2d_depth_t, int2, int, float)", "void $@(write_only|read_write image2d_array_depth_t, int4, int, float)"}, Requires: "cl_khr_mipmap_image_writes", Spec: secMipmap, Doc: "writes a depth of a mip level"},

	{Name: "get_image_width", Sigs: []string{
		"int $@(read_only|write_only|read_write image1d_t)",
		"int $@(read_only|write_only|read_write image1d_array_t)",
		"int $@(read_only|write_only|read_write image1d_buffer_t)",
		"int $@(read_only|write_only|read_write image2d_t)",
		"int $@(read_only|write_only|read_write image2d_array_t)",
		"int $@(read_only|write_only|read_write image2d_depth_t)",
		"int $@(read_only|write_only|read_write image2d_array_depth_t)",
		"int $@(read_only|write_only|read_write image3d_t)",
	}, Spec: secImageQuery, Doc: "width in elements", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageQuery},
	{Name: "get_image_height", Sigs: []string{
		"int $@(read_only|write_only|read_write image2d_t)",
		"int $@(read_only|write_only|read_write image2d_array_t)",
		"int $@(read_only|write_only|read_write image2d_depth_t)",
		"int $@(read_only|write_only|read_write image2d_array_depth_t)",
		"int $@(read_only|write_only|read_write image3d_t)",
	}, Spec: secImageQuery, Doc: "height in elements", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageQuery},
	{Name: "get_image_depth", Sigs: []string{"int $@(read_only|write_only|read_write image3d_t)"}, Spec: secImageQuery, Doc: "depth in elements", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageQuery},
	{Name: "get_image_channel_data_type", Sigs: []string{
		"int $@(read_only|write_only|read_write image1d_t)",
		"int $@(read_only|write_only|read_write image1d_array_t)",
		"int $@(read_only|write_only|read_write image1d_buffer_t)",
		"int $@(read_only|write_only|read_write image2d_t)",
		"int $@(read_only|write_only|read_write image2d_array_t)",
		"int $@(read_only|write_only|read_write image2d_depth_t)",
		"int $@(read_only|write_only|read_write image2d_array_depth_t)",
		"int $@(read_only|write_only|read_write image3d_t)",
	}, Spec: secImageQuery, Doc: "CLK_UNORM_INT8 and so on", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageQuery},
	{Name: "get_image_channel_order", Sigs: []string{
		"int $@(read_only|write_only|read_write image1d_t)",
		"int $@(read_only|write_only|read_write image1d_array_t)",
		"int $@(read_only|write_only|read_write image1d_buffer_t)",
		"int $@(read_only|write_only|read_write image2d_t)",
		"int $@(read_only|write_only|read_write image2d_array_t)",
		"int $@(read_only|write_only|read_write image2d_depth_t)",
		"int $@(read_only|write_only|read_write image2d_array_depth_t)",
		"int $@(read_only|write_only|read_write image3d_t)",
	}, Spec: secImageQuery, Doc: "CLK_RGBA and so on", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageQuery},
	{Name: "get_image_dim", Sigs: []string{
		"int2 $@(read_only|write_only|read_write image2d_t)",
		"int2 $@(read_only|write_only|read_write image2d_array_t)",
		"int2 $@(read_only|write_only|read_write image2d_depth_t)",
		"int2 $@(read_only|write_only|read_write image2d_array_depth_t)",
		"int4 $@(read_only|write_only|read_write image3d_t)",
	}, Spec: secImageQuery, Doc: "width, height and depth", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageDim},
	{Name: "get_image_array_size", Sigs: []string{
		"size_t $@(read_only|write_only|read_write image1d_array_t)",
		"size_t $@(read_only|write_only|read_write image2d_array_t)",
		"size_t $@(read_only|write_only|read_write image2d_array_depth_t)",
	}, Requires: "1.2", Spec: secImageQuery, Doc: "number of images in the array", Flags: NoSideEffect, Impl: ImplOp, Emit: emitImageQuery},
	{Name: "get_image_num_mip_levels", Sigs: []string{
		"int $@(read_only|write_only|read_write image1d_t)",
		"int $@(read_only|write_only|read_write image1d_array_t)",
		"int $@(read_only|write_only|read_write image2d_t)",
		"int $@(read_only|write_only|read_write image2d_array_t)",
		"int $@(read_only|write_only|read_write image2d_depth_t)",
		"int $@(read_only|write_only|read_write image2d_array_depth_t)",
		"int $@(read_only|write_only|read_write image3d_t)",
	}, Requires: "cl_khr_mipmap_image", Spec: secMipmap, Doc: "number of mip levels", Flags: NoSideEffect},
	{Name: "get_image_num_samples", Sigs: []string{
		"int $@(read_only|write_only|read_write image2d_msaa_t)", "int $@(read_only|write_only|read_write image2d_array_msaa_t)",
		"int $@(read_only|write_only|read_write image2d_msaa_depth_t)", "int $@(read_only|write_only|read_write image2d_array_msaa_depth_t)",
	}, Requires: msaa, Spec: msaa, Doc: "number of samples", Flags: NoSideEffect},
	{Name: "get_image_width", Sigs: []string{
		"int $@(read_only|write_only|read_write image2d_msaa_t)",
		"int $@(read_only|write_only|read_write image2d_array_msaa_t)",
		"int $@(read_only|write_only|read_write image2d_msaa_depth_t)",
		"int $@(read_only|write_only|read_write image2d_array_msaa_depth_t)",
	}, Requires: msaa, Spec: msaa, Doc: "width in elements", Flags: NoSideEffect},
	{Name: "get_image_height", Sigs: []string{
		"int $@(read_only|write_only|read_write image2d_msaa_t)",
		"int $@(read_only|write_only|read_write image2d_array_msaa_t)",
		"int $@(read_only|write_only|read_write image2d_msaa_depth_t)",
		"int $@(read_only|write_only|read_write image2d_array_msaa_depth_t)",
	}, Requires: msaa, Spec: msaa, Doc: "height in elements", Flags: NoSideEffect},
	{Name: "get_image_channel_data_type", Sigs: []string{
		"int $@(read_only|write_only|read_write image2d_msaa_t)",
		"int $@(read_only|write_only|read_write image2d_array_msaa_t)",
		"int $@(read_only|write_only|read_write image2d_msaa_depth_t)",
		"int $@(read_only|write_only|read_write image2d_array_msaa_depth_t)",
	}, Requires: msaa, Spec: msaa, Doc: "CLK_UNORM_INT8 and so on", Flags: NoSideEffect},
	{Name: "get_image_channel_order", Sigs: []string{
		"int $@(read_only|write_only|read_write image2d_msaa_t)",
		"int $@(read_only|write_only|read_write image2d_array_msaa_t)",
		"int $@(read_only|write_only|read_write image2d_msaa_depth_t)",
		"int $@(read_only|write_only|read_write image2d_array_msaa_depth_t)",
	}, Requires: msaa, Spec: msaa, Doc: "CLK_RGBA and so on", Flags: NoSideEffect},
	{Name: "get_image_dim", Sigs: []string{
		"int2 $@(read_only|write_only|read_write image2d_msaa_t)",
		"int2 $@(read_only|write_only|read_write image2d_array_msaa_t)",
		"int2 $@(read_only|write_only|read_write image2d_msaa_depth_t)",
		"int2 $@(read_only|write_only|read_write image2d_array_msaa_depth_t)",
	}, Requires: msaa, Spec: msaa, Doc: "width, height and depth", Flags: NoSideEffect},
	{Name: "get_image_array_size", Sigs: []string{
		"size_t $@(read_only|write_only|read_write image2d_array_msaa_t)",
		"size_t $@(read_only|write_only|read_write image2d_array_msaa_depth_t)",
	}, Requires: msaa, Spec: msaa, Doc: "number of images in the array", Flags: NoSideEffect},
}

// SYNTAX TEST "source.opencl" "kernels"

// purecl-options: -cl-std=CL3.0
// <-------------- comment.line.double-slash.opencl
// ^^^^^^^^^^^^^^^ keyword.other.options.opencl

#include "lib/a.h" // a header
// <-------- keyword.control.directive.include.opencl
//       ^^^^^^^^^ string.quoted.other.header.opencl
//                 ^^^^^^^^^^^ comment.line.double-slash.opencl

#define TILE(x) ((x) * 4)
//      ^^^^ entity.name.function.preprocessor.opencl
//                     ^ constant.numeric.integer.opencl

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
//      ^^^^^^ keyword.other.pragma.opencl
//                       ^^^^^^^^^^^ entity.other.extension.opencl

kernel __attribute__((reqd_work_group_size(8, 8, 1)))
// <------ storage.type.kernel.opencl
//     ^^^^^^^^^^^^^ storage.modifier.attribute.opencl
//                    ^^^^^^^^^^^^^^^^^^^^ entity.other.attribute-name.opencl
//                                         ^ constant.numeric.integer.opencl
void blur(global float4 *out, __constant const uint *in, read_only image2d_t pic) {
// <---- storage.type.scalar.opencl
//   ^^^^ entity.name.function.opencl
//        ^^^^^^ storage.modifier.address-space.opencl
//               ^^^^^^ storage.type.vector.opencl
//                            ^^^^^^^^^^ storage.modifier.address-space.opencl
//                                       ^^^^^ storage.modifier.opencl
//                                                       ^^^^^^^^^ storage.modifier.access.opencl
//                                                                 ^^^^^^^^^ storage.type.object.opencl
  size_t i = get_global_id(0);
//^^^^^^ storage.type.scalar.opencl
//           ^^^^^^^^^^^^^ support.function.work-item.opencl
  float4 v = convert_float4_rte(out[i].xyzw) + 1.5e-3f;
//           ^^^^^^^^^^^^^^^^^^ support.function.conversion.opencl
//                                     ^^^^ variable.other.component.opencl
//                                             ^^^^^^^ constant.numeric.float.opencl
  v.s0 = item->count + 0x1Fu;
//  ^^ variable.other.component.opencl
//           ^^ punctuation.accessor.opencl
//             ^^^^^ variable.other.member.opencl
//                     ^^^^^ constant.numeric.integer.hex.opencl
  printf("%v4hlf\n", v);
//        ^^^^^^ constant.other.placeholder.opencl
//              ^^ constant.character.escape.opencl
  for (int j = 0; j < 4; j++) { out[j] = M_PI_F; }
//^^^ keyword.control.opencl
//                                       ^^^^^^ constant.language.opencl
  /* kernel float */ return;
//^^^^^^^^^^^^^^^^^^ comment.block.opencl
//                   ^^^^^^ keyword.control.opencl
}

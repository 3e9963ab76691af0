// Work-groups of four in gangs of more lanes: a private object becomes zero before others are written.
// run: kernel=k global=2,1,2
// arg: o float[64] = zeros
// arg: a float[64] = 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163
// arg: which int 0
kernel void k(global float* o, global const float* a, int which) {
  int lin = get_global_id(0) + 7 * get_global_id(1) + 21 * get_global_id(2);
  local float l11[14];
  uint lid = get_local_id(0) + get_local_size(0) * get_local_id(1) + get_local_size(0) * get_local_size(1) * get_local_id(2), lsz = get_local_size(0) * get_local_size(1) * get_local_size(2);
  float3 r14[2] = {(float3)(0), (float3)(0) };
  l11[lid] = r14[clamp((int)(a[which]), 0, 1)].s2;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[lin] = a[min((long)(lin), 57L)];
}

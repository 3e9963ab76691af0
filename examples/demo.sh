#!/bin/sh
# The main job on real input: filter a picture, then find a bug.
set -eu
cd "$(dirname "$0")/.."
mkdir -p out
echo '== A picture through a 3x3 convolution: uchar4 -> float4 -> convert_uchar4_sat_rte'
go run ./examples/filter -in examples/scene.png -out out/filtered.png
echo
echo '== The same without edge handling: what PureCL says of the bug'
go run ./examples/filter -careless
echo
echo '== What does a conversion yield?'
set -x
bin/purecl eval 'convert_uchar4_sat_rte((float4)(-5.0f, 254.5f, 254.6f, 1.2e9f))'
bin/purecl run examples/saxpy/saxpy.cl -a 'y=zeros(8)' -a 'x=range(8)' -a a=2.5

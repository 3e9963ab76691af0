#!/bin/sh
# Installs the system packages that the tests need, where they are missing: GNU as (an
# oracle of the encoder), gdb, a C compiler (the driver and its tests), and what runs on the driver.
set -eu
packages="binutils gdb gcc libc6-dev make git"
packages="$packages ocl-icd-libopencl1 ocl-icd-opencl-dev opencl-c-headers clinfo python3-pyopencl python3-numpy clpeak hashcat"
missing=""
for p in $packages; do
	dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null; then
	echo "setup.sh: no apt-get here; install by hand:$missing" >&2
	exit 1
fi
sudo=""
if [ "$(id -u)" != 0 ]; then
	sudo="sudo"
fi
echo "installing:$missing"
$sudo apt-get update -q >/dev/null
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -q --no-install-recommends $missing >/dev/null

#!/bin/sh
# Installs the system packages that tests need, where they are missing.
#
#   sh setup.sh [-n] [check] [release] [playground] [libraries]
#
# check (the default): GNU as for amd64 and arm64 (oracles of the encoders), QEMU to run arm64
# code, gdb, a C compiler (the driver and its tests), what runs on the driver, and node for
# programs in WebAssembly. release: a C compiler and an emulator for arm64, and what packages are
# tested with. playground: what bundles its page and tests it. libraries: OpenBLAS and FFTW, beside
# which the benchmarks can measure PureCL. -n only says what is missing, with status 1 where something is.
set -eu
only_say=""
if [ "${1-}" = -n ]; then
	only_say=yes
	shift
fi
[ $# -gt 0 ] || set -- check
packages=""
npm=""
for group in "$@"; do
	case $group in
	check)
		packages="$packages binutils gdb gcc libc6-dev make git"
		packages="$packages binutils-aarch64-linux-gnu qemu-user"
		packages="$packages ocl-icd-libopencl1 ocl-icd-opencl-dev opencl-c-headers clinfo python3-pyopencl python3-numpy clpeak hashcat nodejs neovim clang-format"
		;;
	release)
		packages="$packages gcc libc6-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user opencl-c-headers mmdebstrap rpm clangd openmpi-bin libopenmpi-dev"
		npm=yes
		;;
	playground)
		packages="$packages chromium"
		npm=yes
		;;
	libraries) packages="$packages gcc libc6-dev libopenblas-dev libfftw3-dev pkgconf" ;;
	*)
		echo "setup.sh: there is no group $group; there are check, release, playground and libraries" >&2
		exit 2
		;;
	esac
done

# Other packages of node bring their own npm, and conflict with Debian's.
[ -z "$npm" ] || command -v npm >/dev/null || packages="$packages nodejs npm"

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "setup.sh: this is no Debian system; install what these Debian packages have by hand:$packages" >&2
	[ -n "$only_say" ] # what is missing is not known; tests that miss something say so
	exit
fi
missing=""
for p in $packages; do
	dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $p"
done
[ -n "$missing" ] || exit 0
if [ -n "$only_say" ]; then
	echo "missing system packages:$missing"
	exit 1
fi
sudo=""
if [ "$(id -u)" != 0 ]; then
	sudo="sudo"
	if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
		echo "setup.sh: system packages are missing, and this user may not install them. As root:" >&2
		echo "  apt-get update && apt-get install -y --no-install-recommends$missing" >&2
		exit 1
	fi
fi
echo "installing system packages:$missing"

# Another package manager may be at work: its locks are waited for, ten minutes at most.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
tries=0
until $sudo apt-get update -q >"$log" 2>&1; do
	tries=$((tries + 1))
	if ! grep -qi lock "$log" || [ $tries -ge 120 ]; then
		cat "$log" >&2
		echo "setup.sh: apt-get update failed" >&2
		exit 1
	fi
	sleep "${SETUP_WAIT:-5}"
done
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends $missing >"$log" 2>&1 || {
	cat "$log" >&2
	echo "setup.sh: apt-get install failed" >&2
	exit 1
}

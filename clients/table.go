//go:build linux

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// table returns all programs, in the order of the document.
func table() []program {
	return slices.Concat(pictures(), science(), libraries(), suites())
}

// pictures returns programs for images and videos.
func pictures() []program {
	return []program{
		pyopencl(),
		opencv(),
		ffmpeg(),
		x264(),
		{
			name:     "GEGL",
			packages: []string{"gegl", "python3-opencv"},
			compares: "results of operations with OpenCL and without: at most one value in a thousand differs by more than 1",
			commands: []command{python("gegl.py")},
			known: []known{
				explain(`snn-mean|oilify|invert-gamma`, "a bug of GEGL. Its kernels compute other values than its C code, or another format. PoCL's results are the same as here."),
				explain(`c2g`, "the operation takes random samples."),
			},
		},
		{
			name:     "darktable",
			packages: []string{"darktable", "python3-opencv", "gcc", "libc6-dev", "opencl-c-headers"},
			compares: "exported raw images with modules on OpenCL and without",
			quick:    true,
			prepare:  []command{asGPU},
			commands: []command{python("darktable.py", "$DATA/gpu.so")},
		},
	}
}

// science returns Python libraries and molecular dynamics.
func science() []program {
	return []program{
		{
			name:     "silx",
			packages: []string{"python3-silx", "python3-pyopencl", "python3-pytest", "python3-scipy"},
			compares: "its own tests of silx.opencl",
			limit:    time.Hour,
			commands: []command{pytest("--pyargs", "silx.opencl")},
		},
		{
			name:     "pyFAI",
			packages: []string{"python3-pyfai", "python3-pyopencl", "python3-pytest"},
			compares: "its own tests of pyFAI.opencl: integration with its Cython code, sorting, peaks",
			quick:    true,
			commands: []command{pytest("--pyargs", "pyFAI.opencl")},
		},
		{
			name:     "sasmodels",
			packages: []string{"python3-sasmodels", "python3-pyopencl"},
			compares: "the tests of all its models (expected values of scattering functions)",
			env:      []string{"SAS_OPENCL=0"},
			commands: []command{{args: []string{"/usr/bin/python3", "-W", "ignore", "-m", "sasmodels.model_test", "-v", "opencl", "all"}, parse: parseUnittest}},
		},
		{
			name:     "OpenMM",
			packages: []string{"libopenmm-plugins", "python3-simtk"},
			compares: "forces of a protein in water, and energies and forces of each kind of force, with its reference platform",
			commands: []command{
				{args: []string{"/usr/bin/python3", "-m", "openmm.testInstallation"}, parse: parseMatch("testInstallation", `OpenCL[^\n]*\n?.*Successfully computed forces(?s:.*)All differences are within tolerance`)},
				python("forces.py"),
			},
			known: []known{
				explain(`GayBerneForce/double`, "a bug of OpenMM. The buffers of the particles' matrices have half the size that its kernels need in double precision."),
			},
		},
	}
}

// libraries returns libraries of algorithms for C and C++.
func libraries() []program {
	return []program{
		{
			name:     "CLBlast",
			packages: []string{"clblast-tests"},
			compares: "its own tests of every routine but the longest, against a CBLAS",
			limit:    time.Hour,
			commands: clblast(),
			known: []known{
				explain(`H(AXPY|GEMM)BATCHED`, "a bug of CLBlast. Its host code writes the factors of a batch as halfs, and its kernels read floats."),
				explain(`iHAMAX`, "a bug of the test program. It compares indices as if they were halfs. The routine itself finds the right elements of random vectors."),
			},
		},
		{
			name:     "clFFT",
			packages: []string{"libclfft-dev", "python3-gpyfft", "python3-scipy", "python3-pyopencl"},
			compares: "transforms in one to three dimensions, real and complex, float and double, with SciPy's",
			commands: []command{python("clfft.py")},
		},
		{
			name:     "Boost.Compute",
			packages: []string{"libboost1.74-dev", "g++", "ocl-icd-opencl-dev"},
			compares: "algorithms with the standard library's",
			prepare:  []command{sh("/usr/bin/g++", "-O1", "-w", "-o", "boost", "$SCRIPTS/boost.cpp", "-lOpenCL")},
			commands: []command{{args: []string{"$DATA/boost"}, parse: parseLines}},
			known: []known{
				explain(`lower_bound/\w+/70000`, "a bug of Boost.Compute. The second step of its binary search reads the start of the range instead of the part that the first step has found."),
			},
		},
		starpu(),
		starpuMPI(),
		ufo(),
	}
}

// suites returns test suites and programs that test drivers.
func suites() []program {
	return []program{
		{
			name:     "piglit",
			packages: []string{"piglit"},
			compares: "its own OpenCL tests (profile cl)",
			commands: []command{
				{args: []string{"/usr/bin/piglit", "run", "-1", "-l", "quiet", "cl", "results"}, parse: func(out output) ([]outcome, error) { return nil, ended(out) }},
				{args: []string{"/usr/bin/piglit", "summary", "console", "results"}, parse: parsePiglit},
			},
			known: []known{
				explain(`api/clcreateprogramwithbinary`, "the test creates a kernel of a program from a binary without building it, which is CL_INVALID_PROGRAM_EXECUTABLE by the standard."),
				explain(`api/clgetcommandqueueinfo`, "the test queries CL_QUEUE_SIZE of a host queue, which is CL_INVALID_COMMAND_QUEUE by the standard."),
				explain(`api/clgetdeviceinfo`, "the test expects \"OpenCL 1.1\" in the versions of a device of OpenCL 3.0."),
				explain(`api/clgetextensionfunctionaddressforplatform`, "the test expects NULL for the platform NULL, which the loader replaces by its default platform."),
				explain(`api/clgetkernelarginfo`, "the test expects an error for a program built without -cl-kernel-arg-info. The standard permits the information, and PureCL always has it."),
				explain(`program/build/include-directories`, "the test includes a file that the package lacks."),
				explain(`program/execute/atomic_int64_cmpxchg-local/simple u?long`, "the test uses two elements of a local buffer of one. The driver drops the write of the second and reports it in its log."),
			},
		},
		hashcat(),
	}
}

// asGPU builds the library of gpu.c.
var asGPU = sh("/usr/bin/cc", "-shared", "-fPIC", "-o", "gpu.so", "$SCRIPTS/gpu.c", "-ldl")

func pyopencl() program {
	return program{
		name:     "PyOpenCL",
		packages: []string{"python3-pyopencl", "python3-pytest", "python3-mako"},
		source:   "pyopencl",
		compares: "its own tests",
		commands: []command{pytest("$SOURCE/test")},
	}
}

func opencv() program {
	return program{
		name:     "OpenCV",
		packages: []string{"python3-opencv"},
		compares: "functions on UMat with the same on arrays: colours, pyramids, resize, filters, Hough lines, optical flow, within its own tests' tolerances",
		quick:    true,
		env:      []string{"OPENCV_OPENCL_DEVICE=:CPU:0", "OPENCV_OPENCL_CACHE_ENABLE=0"},
		commands: []command{python("opencv.py")},
	}
}

// ffmpeg returns the row that runs each of its OpenCL filters on a clip. The frames are compared with PoCL's.
func ffmpeg() program {
	p := program{
		name:     "FFmpeg",
		packages: []string{"ffmpeg", poclPackage},
		compares: "frames of its OpenCL filters, with PoCL's: equal bytes, but up to 3 % of them differ by 1 in the seven that average or interpolate",
		quick:    true,
		prepare:  []command{sh("/usr/bin/python3", "$SCRIPTS/clip.py", "clip.y4m", "320", "176", "5")},
		files: &fileRule{glob: "*.raw", within: map[string]within{
			// A mean of an even number of values can lie halfway between two bytes, as can weighted sums and
			// interpolated values. The rounding of float additions then decides the byte.
			"avgblur":     {1, 0.005},
			"boxblur":     {1, 0.005},
			"convolution": {1, 0.001},
			"deshake":     {1, 0.03},
			"nlmeans":     {1, 0.005},
			"unsharp":     {1, 0.0001},
			"colorkey":    {1, 0.001},
		}},
	}
	add := func(name, format, graph string) {
		args := []string{"/usr/bin/ffmpeg", "-v", "error", "-nostdin", "-y", "-init_hw_device", "opencl=cl:0.0", "-filter_hw_device", "cl", "-i", "$DATA/clip.y4m",
			"-filter_complex", fmt.Sprintf("[0:v]format=%[1]s,split[x][y];[y]hflip,hwupload[b];[x]hwupload[a];%[2]s,hwdownload,format=%[1]s", format, graph),
			"-f", "rawvideo", name + ".raw"}
		p.commands = append(p.commands, command{args: args, parse: parseStatus("ffmpeg " + name)})
	}
	one := func(name, format, filter string) { add(name, format, "[b]nullsink;[a]"+filter) }
	one("avgblur", "yuv420p", "avgblur_opencl=sizeX=3:sizeY=5")
	one("boxblur", "yuv420p", "boxblur_opencl=lr=3:lp=2:cr=1:cp=1")
	one("colorkey", "bgra", "colorkey_opencl=color=green:similarity=0.4:blend=0.2")
	one("convolution", "yuv420p", "convolution_opencl='0 -1 0 -1 5 -1 0 -1 0:1 1 1 1 1 1 1 1 1:1 2 1 2 4 2 1 2 1:0 0 0 0 1 0 0 0 0:1:1/9:1/16:1'")
	one("deshake", "yuv420p", "deshake_opencl")
	one("dilation", "yuv420p", "dilation_opencl=threshold0=40:coordinates=231")
	one("erosion", "yuv420p", "erosion_opencl=threshold0=40")
	one("nlmeans", "yuv420p", "nlmeans_opencl=s=3:p=5:r=7")
	add("overlay", "yuv420p", "[a][b]overlay_opencl=x=40:y=20")
	one("pad", "yuv420p", "pad_opencl=w=400:h=240:x=30:y=40:color=blue")
	one("prewitt", "yuv420p", "prewitt_opencl=scale=2")
	one("roberts", "yuv420p", "roberts_opencl=delta=3")
	one("sobel", "yuv420p", "sobel_opencl=scale=0.5")
	one("transpose", "yuv420p", "transpose_opencl=dir=clock")
	one("unsharp", "yuv420p", "unsharp_opencl=lx=7:ly=5:la=1.5:ca=-0.5")
	for _, t := range []string{"fade", "wipeleft", "slideup"} {
		add("xfade-"+t, "yuv420p", "[a][b]xfade_opencl=transition="+t+":duration=0.6:offset=0.2")
	}
	return p
}

// clblast returns the commands of CLBlast's test programs.
func clblast() []command {
	routines := strings.Fields(`xamax xasum xaxpy xaxpybatched xcol2im xcopy xdot xdotc xdotu xgbmv xgemm xgemmbatched xgemmstridedbatched xgemv xger xgerc xgeru xhad
		xhbmv xhemm xhemv xher xher2 xher2k xherk xhpmv xhpr xhpr2 xim2col xnrm2 xomatcopy xsbmv xscal xspmv xspr xspr2 xswap xsymm xsymv xsyr xsyr2 xsyr2k xsyrk xtbmv
		xtpmv xtrmm xtrmv xtrsm xtrsv`)
	var commands []command
	for _, r := range routines {
		commands = append(commands, command{args: []string{"/usr/bin/clblast_test_" + r, "-platform", "0", "-device", "0"}, parse: parseCLBlast})
	}
	return commands
}

// starpuEnv makes OpenCL do all work.
var starpuEnv = []string{"STARPU_NCPU=0", "STARPU_NOPENCL=1", "STARPU_OPENCL_ON_CPUS=1", "STARPU_OPENCL_ONLY_ON_CPUS=1",
	"STARPU_OPENCL_PROGRAM_DIR=/usr/share/starpu/opencl/"}

const starpuExamples = "/usr/lib/x86_64-linux-gnu/starpu/examples"

// starpu returns the row of the examples whose OpenCL code the package contains completely. They run without
// workers on the processor, so that OpenCL computes everything.
func starpu() program {
	p := program{
		name:     "StarPU",
		packages: []string{"starpu-examples"},
		compares: "results of its examples, which check themselves, with no worker but OpenCL's",
		quick:    true,
		env:      starpuEnv,
	}
	for _, name := range []string{"block", "fblock", "incrementer", "incrementer_cpp", "matvecmult", "variable", "vector_scal"} {
		p.commands = append(p.commands, command{args: []string{filepath.Join(starpuExamples, name)}, parse: parseStatus(name)})
	}
	return p
}

// starpuMPI returns the row of examples that run as ranks on this machine. StarPU-MPI's own programs require
// workers on the processor and are skipped without one.
func starpuMPI() program {
	p := program{
		name:     "StarPU, MPI",
		packages: []string{"starpu-examples", "openmpi-bin"},
		compares: "results of examples that mpirun starts as three ranks, which check themselves, with no worker but OpenCL's",
		env:      append([]string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}, starpuEnv...),
	}
	for _, name := range []string{"block", "incrementer", "variable", "vector_scal"} {
		args := []string{"/usr/bin/mpirun", "--oversubscribe", "-n", "3", filepath.Join(starpuExamples, name)}
		p.commands = append(p.commands, command{args: args, parse: parseStatus(name)})
	}
	return p
}

func ufo() program {
	return program{
		name:     "UFO",
		packages: []string{"ufo-filters", "libufo-bin", "python3-scipy"},
		compares: "results of its filters with NumPy's and SciPy's",
		quick:    true,
		env:      []string{"UFO_DEVICE_TYPE=cpu"},
		commands: []command{python("ufo.py")},
	}
}

func x264() program {
	return program{
		name:     "x264",
		packages: []string{"x264", "gcc", "libc6-dev", "opencl-c-headers"},
		compares: "size, quality and frame types of a synthetic clip encoded with its OpenCL lookahead with those without OpenCL",
		quick:    true,
		prepare:  []command{asGPU, sh("/usr/bin/python3", "$SCRIPTS/clip.py", "clip.y4m", "320", "180", "24")},
		commands: []command{python("x264.py", "$DATA/clip.y4m", "$DATA/gpu.so")},
	}
}

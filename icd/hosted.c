//go:build cgo && linux && hosted

#include "driver.h"
#include <dlfcn.h>
#include <stdio.h>

// The host's calls go through its pointer "dispatch" (driver_test.go); it has no loader.
int purecl_host(int argc, char **argv)
{
	void *host = dlopen(argc > 0 ? argv[0] : "", RTLD_NOW);
	int (*start)(int, char **) = host ? dlsym(host, "main") : NULL;
	const cl_icd_dispatch **table = host ? dlsym(host, "dispatch") : NULL;
	if (!start || !table) {
		fprintf(stderr, "%s\n", dlerror());
		return 2;
	}
	*table = &purecl_dispatch;
	return start(argc, argv);
}

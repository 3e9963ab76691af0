package main

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"
	"time"
)

// nfpm builds packages. Later versions need modules that some proxies lack.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4"

// icdFile is the file by which OpenCL's loader finds the driver.
const icdFile = "/usr/lib/purecl/libpurecl.so\n"

// packageConfig describes the packages to nfpm. The documentation is Debian's: a copyright file with the licence's
// name, and the notices.
var packageConfig = template.Must(template.New("nfpm").Parse(`name: purecl
arch: {{.Arch}}
platform: linux
version: "{{.Version}}"
version_schema: semver
section: devel
maintainer: The PureCL authors <purecl@users.noreply.github.com>
description: |
  OpenCL in pure Go: compiler, checker and driver
  purecl compiles, checks and runs OpenCL C kernels on the CPU. The package has the command
  line and an OpenCL 3.0 driver, which OpenCL's loader finds.
homepage: https://github.com/purecl/purecl
license: Apache-2.0
mtime: {{.Time}}
overrides:
  deb:
    depends: ["libc6 (>= {{.Libc}})"]
    recommends: [ocl-icd-libopencl1]
  rpm:
    depends: ["glibc >= {{.Libc}}"]
    recommends: [ocl-icd]
rpm:
  buildhost: purecl
contents:
  - {src: {{.Command}}, dst: /usr/bin/purecl, file_info: {mode: 0755}}
  - {src: {{.Driver}}, dst: /usr/lib/purecl/libpurecl.so, file_info: {mode: 0644}}
  - {src: {{.ICD}}, dst: /etc/OpenCL/vendors/purecl.icd, type: config, file_info: {mode: 0644}}
  - {src: {{.Root}}/LICENSE, dst: /usr/share/doc/purecl/copyright, file_info: {mode: 0644}}
  - {src: {{.Root}}/THIRD_PARTY.md, dst: /usr/share/doc/purecl/THIRD_PARTY.md, file_info: {mode: 0644}}
  - {src: {{.Root}}/CHANGELOG.md, dst: /usr/share/doc/purecl/CHANGELOG.md, file_info: {mode: 0644}}
`))

// packages builds the .deb and .rpm of an architecture from existing binaries.
func (r *releaser) packages(d driver) error {
	dir, err := os.MkdirTemp("", "purecl-package")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	icd := filepath.Join(dir, "purecl.icd")
	if err := os.WriteFile(icd, []byte(icdFile), 0o644); err != nil {
		return err
	}
	so := r.file("libpurecl", "linux", d.arch, ".so")
	libc, err := libcVersion(so)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := packageConfig.Execute(&text, map[string]string{
		"Arch": d.arch, "Version": r.version, "Time": r.commit.UTC().Format(time.RFC3339), "Libc": libc, "Root": r.root,
		"Command": r.file("purecl", "linux", d.arch, ""), "Driver": so, "ICD": icd,
	}); err != nil {
		return err
	}
	config := filepath.Join(dir, "nfpm.yaml")
	if err := os.WriteFile(config, []byte(text.String()), 0o644); err != nil {
		return err
	}
	for _, kind := range []string{"deb", "rpm"} {
		to := r.file("purecl", "linux", d.arch, "."+kind)
		cmd := exec.Command("go", "run", nfpm, "package", "--config", config, "--packager", kind, "--target", to)
		cmd.Dir = r.root
		cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.commit.Unix()))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", filepath.Base(to), err, out)
		}
	}
	return nil
}

// libcVersion returns the newest glibc version that a library requires, such as 2.34.
func libcVersion(name string) (string, error) {
	f, err := elf.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	needs, err := f.DynamicVersionNeeds()
	if err != nil {
		return "", err
	}
	major, minor := 0, 0
	for _, lib := range needs {
		for _, v := range lib.Needs {
			var a, b int
			if n, _ := fmt.Sscanf(v.Dep, "GLIBC_%d.%d", &a, &b); n == 2 && (a > major || a == major && b > minor) {
				major, minor = a, b
			}
		}
	}
	if major == 0 {
		return "", fmt.Errorf("%s names no version of glibc", name)
	}
	return fmt.Sprintf("%d.%d", major, minor), nil
}

package main

import (
	"bytes"
	"debug/buildinfo"
	"os"
	"path/filepath"
	"strings"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

func newComponent(kind cyclonedx.ComponentType, path, version, licence string) cyclonedx.Component {
	purl := "pkg:golang/" + path + "@" + version
	return cyclonedx.Component{Type: kind, BOMRef: purl, Name: path, Version: version, PackageURL: purl,
		Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: licence}}}}
}

// bill writes the bill of materials: the modules of all platforms, and Go's standard library in the binaries'
// version.
func (r *releaser) bill() error {
	info, err := buildinfo.ReadFile(r.file("purecl", "linux", "amd64", ""))
	if err != nil {
		return err
	}
	text, err := r.billText(info)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "purecl_"+r.version+"_sbom.cdx.json"), text, 0o644)
}

// billText returns the bill as JSON of CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json/). It has no serial
// number, which would differ between two runs.
func (r *releaser) billText(info *buildinfo.BuildInfo) ([]byte, error) {
	main := newComponent(cyclonedx.ComponentTypeApplication, info.Main.Path, info.Main.Version, "Apache-2.0")
	b := cyclonedx.NewBOM()
	b.Metadata = &cyclonedx.Metadata{Timestamp: r.commit.UTC().Format(time.RFC3339), Component: &main}
	list, err := modules(r.root)
	if err != nil {
		return nil, err
	}
	var components []cyclonedx.Component
	for _, m := range list {
		_, id, err := m.licence()
		if err != nil {
			return nil, err
		}
		components = append(components, newComponent(cyclonedx.ComponentTypeLibrary, m.path, m.version, id))
	}
	components = append(components, newComponent(cyclonedx.ComponentTypeLibrary, "std", strings.TrimPrefix(info.GoVersion, "go"), "BSD-3-Clause"))
	b.Components = &components
	var out bytes.Buffer
	err = cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).EncodeVersion(b, cyclonedx.SpecVersion1_5)
	return out.Bytes(), err
}

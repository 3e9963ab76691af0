package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A bill of materials in the form of CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json/).
type bom struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   bomMetadata `json:"metadata"`
	Components []component `json:"components"`
}

type bomMetadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type     string         `json:"type"`
	Ref      string         `json:"bom-ref"`
	Name     string         `json:"name"`
	Version  string         `json:"version"`
	PURL     string         `json:"purl"`
	Licenses []licenceEntry `json:"licenses"`
}

type licenceEntry struct {
	License licenceID `json:"license"`
}

type licenceID struct {
	ID string `json:"id"`
}

func newComponent(kind, path, version, licence string) component {
	purl := "pkg:golang/" + path + "@" + version
	return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl, Licenses: []licenceEntry{{licenceID{licence}}}}
}

// bill writes the bill of materials: the modules of all platforms, and Go's library in the
// version that the binaries name.
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

func (r *releaser) billText(info *buildinfo.BuildInfo) ([]byte, error) {
	b := bom{Format: "CycloneDX", Spec: "1.5", Version: 1, Metadata: bomMetadata{
		Timestamp: r.commit.UTC().Format(time.RFC3339),
		Component: newComponent("application", info.Main.Path, info.Main.Version, "Apache-2.0"),
	}}
	list, err := modules(r.root)
	if err != nil {
		return nil, err
	}
	for _, m := range list {
		_, id, err := m.licence()
		if err != nil {
			return nil, err
		}
		b.Components = append(b.Components, newComponent("library", m.path, m.version, id))
	}
	b.Components = append(b.Components, newComponent("library", "std", strings.TrimPrefix(info.GoVersion, "go"), "BSD-3-Clause"))
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	err = e.Encode(b)
	return out.Bytes(), err
}

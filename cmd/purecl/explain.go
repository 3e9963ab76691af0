package main

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
)

type explainCmd struct {
	Code string `arg:"" optional:"" help:"Code in brackets after a diagnostic. Without it all codes are listed."`
}

func (*explainCmd) Help() string {
	return help("Examples:", "  purecl explain vector-element-count", "  purecl explain -Wuninitialized")
}

func (c *explainCmd) Run() error {
	if c.Code == "" {
		for _, code := range diag.Codes {
			fmt.Printf("%-34s %s\n", code.Name, code.Severity)
		}
		return nil
	}
	name := strings.Trim(c.Code, "[]")
	name = strings.TrimPrefix(name[strings.LastIndexByte(name, ',')+1:], "-W") // -Werror,-Wname
	name = strings.TrimPrefix(strings.TrimPrefix(name, "error="), "no-")
	code := diag.Lookup(name)
	if code == nil {
		var names []string
		for _, code := range diag.Codes {
			names = append(names, code.Name)
		}
		if near, ok := diag.Nearest(name, names); ok {
			return usagef("there is no code %q; did you mean %q?", name, near)
		}
		return usagef("there is no code %q; `purecl explain` lists all", name)
	}
	fmt.Printf("%s (%s)\n\n%s\n", code.Name, code.Severity, code.Doc)
	if code.Severity == diag.Warning {
		state := "on"
		if code.Off {
			state = "off"
		}
		fmt.Printf("\nThe warning is %s by default; -W%s turns it on, -Wno-%s off, -Werror=%s makes it an error.\n", state, name, name, name)
	}
	if code.Spec != "" {
		fmt.Printf("\nSpecification: %s\n", code.Spec)
	}
	for _, ex := range [...]struct{ title, text string }{{"Wrong:", code.Bad}, {"Right:", code.Good}} {
		if ex.text != "" {
			fmt.Printf("\n%s\n\n    %s\n", ex.title, strings.ReplaceAll(strings.TrimRight(ex.text, "\n"), "\n", "\n    "))
		}
	}
	if code.Options != "" {
		fmt.Printf("\nWith the compiler options %s.\n", code.Options)
	}
	return nil
}

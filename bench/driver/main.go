//go:build linux

// Command driver runs the rows of package bench on an OpenCL library. bench/compare starts it as a third player beside
// PureCL and C:
//
//	driver [-platform PoCL] LIBRARY serve BYTES
package main

import (
	"flag"
	"log"
	"os"

	"github.com/purecl/purecl/bench"
	"github.com/purecl/purecl/bench/opencl"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("driver: ")
	platform := flag.String("platform", "", "words in the name of the library's platform")
	flag.Parse()
	if flag.NArg() != 3 || flag.Arg(1) != "serve" {
		log.Fatal("usage: driver [-platform NAME] LIBRARY serve BYTES")
	}
	err := bench.Serve(flag.Arg(2), os.Stdin, os.Stdout, func(m *bench.Memory) (bench.Server, error) {
		cl, err := opencl.Open(flag.Arg(0), *platform, opencl.CPU)
		if err != nil {
			return nil, err
		}
		return opencl.NewPlayer(cl, m), nil
	})
	if err != nil {
		log.Fatal(err)
	}
}

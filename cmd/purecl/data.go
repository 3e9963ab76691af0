package main

import (
	"errors"
	"fmt"
	_ "image/jpeg" // formats of input pictures
	"io/fs"
	"os"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"

	"github.com/purecl/purecl/internal/run/argument"
)

// maxData is the greatest size in bytes of one argument of the command line.
const maxData = 16 << 30

type (
	data  = argument.Data
	elem  = argument.Elem
	arg   = argument.Arg
	param = argument.Param
)

// files creates the data of arguments on the command line.
var files = &argument.Source{Open: openFile, Limit: maxData, Give: giveArgument}

// giveArgument returns a hint how to pass an argument on the command line.
func giveArgument(name, value string) string {
	if value == "" {
		return fmt.Sprintf("-a %s=VALUE gives it", name)
	}
	return fmt.Sprintf("-a '%s=%s' gives it", name, value)
}

func newData(e elem, shape ...int) (*data, error) { return files.New(e, shape...) }

func parseData(spec string, e elem) (*data, error) { return files.Parse(spec, e) }

func find(args []*arg, name string) *arg { return argument.Find(args, name) }

// openFile opens a file of the command line.
func openFile(name string) (*argument.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && st.Mode()&fs.ModeDevice != 0 {
		err = fmt.Errorf("%s is a device, not a file", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &argument.File{ReadSeeker: f, Size: st.Size(), Close: f.Close}, nil
}

// writeData writes a buffer to a file.
func writeData(d *data, name string) error {
	b, err := d.Encode(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, b, 0o666)
}

package arm64

import "errors"

var errTooLong = errors.New("code of more than 1 MiB")

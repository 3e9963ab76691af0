//go:build !playground

package site

import "embed"

var packed embed.FS

const built = false

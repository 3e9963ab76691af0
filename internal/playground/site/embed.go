//go:build playground

package site

import "embed"

//go:embed dist/*.gz
var packed embed.FS

const built = true

// Package bridge lets JavaScript call a Go function with JSON and bytes.
package bridge

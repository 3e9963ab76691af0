// Package site embeds the playground's page as files and serves it.
//
// The files are not checked in: make playground (internal/tool/playground) builds them in the folder dist, and the
// build tag playground embeds them. Without the tag, [Files] returns [ErrNotBuilt].
//
// Input: requests of a browser, or a folder to write to. The package must not know the page's functions.
package site

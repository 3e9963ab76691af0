// Package site has the playground's page as files and serves it.
//
// The files are built, not checked in: make playground (internal/tool/playground) makes them in the folder dist, and
// the build tag playground embeds them. Without the tag [Files] is an error that says so.
//
// Input: requests of a browser, or a folder to write to. The package must not know what the page does.
package site

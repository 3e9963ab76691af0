package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// ErrNotBuilt is the error of a program built without the playground.
var ErrNotBuilt = errors.New("this purecl was built without the playground; `make playground` builds one with it in bin, and the binaries of releases have it")

// Files returns the page's files, each compressed and named NAME.gz.
func Files() (fs.FS, error) {
	if !built {
		return nil, ErrNotBuilt
	}
	return fs.Sub(packed, "dist")
}

// A page is a file as served to a browser.
type page struct {
	packed []byte
	typ    string // its media type
	tag    string // entity tag
}

// types are the media types of the page's files: the system's table may be wrong.
var types = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8"}

// policy matches the page's Content-Security-Policy, which the server also sends as a header.
var policy = regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`)

// Handler returns a handler that serves the files of Files.
func Handler(files fs.FS) (http.Handler, error) {
	pages := map[string]*page{}
	security := ""
	err := each(files, func(name string, packed []byte) error {
		typ := types[path.Ext(name)]
		if typ == "" {
			typ = mime.TypeByExtension(path.Ext(name))
		}
		pages["/"+name] = &page{packed, typ, fmt.Sprintf(`"%x"`, sha256.Sum256(packed))}
		if name != "index.html" {
			return nil
		}
		text, err := unpack(packed)
		if err != nil {
			return err
		}
		m := policy.FindSubmatch(text)
		if m == nil {
			return errors.New("index.html has no Content-Security-Policy")
		}
		security = string(m[1]) + "; frame-ancestors 'none'"
		return nil
	})
	if err != nil {
		return nil, err
	}
	if security == "" {
		return nil, errors.New("the playground has no index.html")
	}
	pages["/"] = pages["/index.html"]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", security)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		p := pages[r.URL.Path]
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		case p == nil:
			http.NotFound(w, r)
		default:
			p.serve(w, r)
		}
	}), nil
}

func (p *page) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", p.typ)
	h.Set("Cache-Control", "no-cache") // browsers revalidate it by its tag
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", p.tag)
	if r.Header.Get("If-None-Match") == p.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := p.packed
	if takesGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
	} else {
		var err error
		if body, err = unpack(p.packed); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		w.Write(body) // an error means that the client has gone
	}
}

// takesGzip reports whether an Accept-Encoding header allows gzip.
func takesGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			return strings.Trim(strings.TrimPrefix(strings.ReplaceAll(q, " ", ""), "q="), "0.") != "" || q == ""
		}
	}
	return false
}

// each calls f with the page's files, sorted by name.
func each(files fs.FS, f func(name string, packed []byte) error) error {
	list, err := fs.Glob(files, "*.gz")
	if err != nil {
		return err
	}
	for _, file := range list {
		b, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		if err := f(strings.TrimSuffix(file, ".gz"), b); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func unpack(b []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Write writes the files to a folder, plain and compressed, for any web server.
func Write(dir string, files fs.FS) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return each(files, func(name string, packed []byte) error {
		text, err := unpack(packed)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".gz"), packed, 0o666); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), text, 0o666)
	})
}

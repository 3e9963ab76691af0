package site

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func pack(t *testing.T, text string) *fstest.MapFile {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

func small(t *testing.T) fstest.MapFS {
	index, err := os.ReadFile("../page/src/index.html")
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{"index.html.gz": pack(t, string(index)), "a.wasm.gz": pack(t, "\x00asm")}
}

func TestHandler(t *testing.T) {
	h, err := Handler(small(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, accept string
		status               int
		encoding, typ, body  string
	}{
		{"GET", "/a.wasm", "br, gzip", 200, "gzip", "application/wasm", ""},
		{"GET", "/a.wasm", "", 200, "", "application/wasm", "\x00asm"},
		{"GET", "/a.wasm", "gzip;q=0", 200, "", "application/wasm", "\x00asm"},
		{"HEAD", "/", "", 200, "", "text/html; charset=utf-8", ""},
		{"GET", "/../site.go", "", 404, "", "text/plain; charset=utf-8", "404 page not found\n"},
		{"POST", "/", "", 405, "", "text/plain; charset=utf-8", "only GET and HEAD\n"},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Header.Set("Accept-Encoding", c.accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		got := w.Result()
		body, _ := io.ReadAll(got.Body)
		if got.StatusCode != c.status || got.Header.Get("Content-Encoding") != c.encoding || got.Header.Get("Content-Type") != c.typ || c.encoding == "" && string(body) != c.body {
			t.Errorf("%s %s: %v %q", c.method, c.path, got, body)
		}
		csp := got.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none';") || !strings.HasSuffix(csp, "frame-ancestors 'none'") || strings.Contains(csp, "http") || got.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: headers %v", c.method, c.path, got.Header)
		}
		if tag := got.Header.Get("ETag"); tag != "" {
			r.Header.Set("If-None-Match", tag)
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, r); w.Code != http.StatusNotModified {
				t.Errorf("%s with its tag: %d", c.path, w.Code)
			}
		}
	}
	if _, err := Handler(fstest.MapFS{}); err == nil {
		t.Error("no error of a site without a page")
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := Write(dir, small(t)); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "a.wasm")); err != nil || string(b) != "\x00asm" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a.wasm.gz")); err != nil {
		t.Error(err)
	}
}

func TestNotBuilt(t *testing.T) {
	if _, err := Files(); (err == nil) != built || err != nil && !errors.Is(err, ErrNotBuilt) {
		t.Errorf("built %v: %v", built, err)
	}
}

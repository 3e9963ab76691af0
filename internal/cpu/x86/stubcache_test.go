package x86

import (
	"bytes"
	"testing"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/test/gangtest"
)

// TestStubCache: stubs from the cache have the code that a kernel with a listing gets, for which the cache is not used.
func TestStubCache(t *testing.T) {
	cases, err := gangtest.Cases("../gang/testdata/run")
	if err != nil {
		t.Fatal(err)
	}
	generate := func(text string, o Options) (code []byte) {
		defer func() {
			if s, ok := recover().(string); ok {
				code = []byte(s) // not a shape of the level
			}
		}()
		f, err := gang.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Generate(f, o)
		if err != nil {
			return []byte(err.Error())
		}
		return c.Bytes
	}
	for _, lv := range []*Level{AVX2, AVX512VBMI} {
		for _, c := range cases {
			want := generate(c.Text, Options{Level: lv, Step: 2, Listing: true})
			for range 2 {
				if got := generate(c.Text, Options{Level: lv, Step: 2}); !bytes.Equal(got, want) {
					t.Errorf("%s, %s: other code", c, lv.Name)
				}
			}
		}
	}
	if n := len(stubCache.code); n < 20 || n > mostCachedStubs {
		t.Errorf("%d stubs in the cache", n)
	}
}

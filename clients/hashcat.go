//go:build linux

package main

import (
	"fmt"
	"regexp"
)

// hashcat returns the row of hashcat, which tests each of its kernels and then finds the words of known hashes. In
// make check the tests of icd run it.
func hashcat() program {
	p := program{
		name:     "hashcat",
		packages: []string{"hashcat"},
		compares: "words found for known hashes, after its own test of each kernel",
	}
	for _, m := range []struct{ mode, name, hash, mask, word string }{
		{"0", "MD5", "5d41402abc4b2a76b9719d911017c592", "h?l?l?lo", "hello"},
		{"100", "SHA-1", "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", "h?l?l?lo", "hello"},
		{"1400", "SHA-256", "b24d6d33736ecd5604a4b17bc9c6481039fac362bb7df044ef1c10a2bfd21db6", "r?l?l?ly", "ready"},
	} {
		re := regexp.MustCompile(regexp.QuoteMeta(m.hash + ":" + m.word))
		p.commands = append(p.commands, command{
			args: []string{"/usr/bin/hashcat", "-O", "--force", "--potfile-disable", "--quiet", "-m", m.mode, "-a", "3", "-n", "32", "-u", "64", m.hash, m.mask},
			parse: func(out output) ([]outcome, error) {
				o := outcome{test: m.name}
				if !re.MatchString(out.text) {
					o.status, o.detail = failed, fmt.Sprintf("%q not found: %s", m.word, tail(out.text, 3))
				}
				return []outcome{o}, nil
			},
		})
	}
	return p
}

package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// families merges rows that differ in one word only, such as those of vload2 and vload3. The words are listed in
// braces in the function's name; elsewhere n (for numbers) or op replaces them. Merged rows that differ in one word
// are merged again. A family has the position of its first row.
func families(rows [][]string) [][]string {
	for {
		merged := mergeRows(rows)
		if len(merged) == len(rows) {
			return rows
		}
		rows = merged
	}
}

func mergeRows(rows [][]string) [][]string {
	var out [][]string
	done := make([]bool, len(rows))
	for i := range rows {
		if done[i] {
			continue
		}
		var words []string
		var family []int // indices of the tokens in which the members differ
		for j := i + 1; j < len(rows); j++ {
			if done[j] {
				continue
			}
			at, a, b := difference(rows[i], rows[j])
			if at == nil || family != nil && !slices.Equal(at, family) {
				continue
			}
			if family == nil {
				family, words = at, []string{a}
			}
			if words[0] == a && !slices.Contains(words, b) {
				words = append(words, b)
				done[j] = true
			}
		}
		if len(words) < 2 {
			out = append(out, rows[i])
			continue
		}
		out = append(out, written(rows[i], family, words))
	}
	return out
}

// token matches the parts of names: words, numbers, other characters.
var token = regexp.MustCompile(`[A-Za-z]+|[0-9]+|[^A-Za-z0-9]`)

// difference returns the tokens at which two rows differ and the two words there. It returns nil if the words are
// not the same at all of these tokens.
func difference(x, y []string) (at []int, a, b string) {
	s, t := token.FindAllString(strings.Join(x, "\x00"), -1), token.FindAllString(strings.Join(y, "\x00"), -1)
	if len(s) != len(t) {
		return nil, "", ""
	}
	for i := range s {
		switch {
		case s[i] == t[i]:
		case at != nil && (s[i] != a || t[i] != b):
			return nil, "", ""
		default:
			at, a, b = append(at, i), s[i], t[i]
		}
	}
	return at, a, b
}

// written returns the row of a family whose members have the given words at the tokens at.
func written(row []string, at []int, words []string) []string {
	text := token.FindAllString(strings.Join(row, "\x00"), -1)
	other := "op"
	if _, err := strconv.Atoi(words[0]); err == nil {
		other = "n"
	}
	// The last such token before the parameters is in the name.
	name := at[0]
	parameters := slices.Index(text, "(")
	for _, i := range at {
		text[i] = other
		if i < parameters {
			name = i
		}
	}
	text[name] = "{" + strings.Join(words, ",") + "}"
	return strings.Split(strings.Join(text, ""), "\x00")
}

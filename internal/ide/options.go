package ide

import "strings"

// OptionsComment begins the build options of a file in one of its first comments:
//
//	// purecl-options: -cl-std=CL3.0 -DN=16
const OptionsComment = "purecl-options:"

// maxOptionLines is the number of lines at a file's start in which the comment may be.
const maxOptionLines = 50

// CommentOptions returns the build options in comments at the beginning of a file.
func CommentOptions(text []byte) string {
	var list []string
	n := 0
	for line := range strings.Lines(string(text[:min(len(text), 1<<14)])) {
		if n++; n > maxOptionLines {
			break
		}
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "//"), strings.HasPrefix(line, "/*"), strings.HasPrefix(line, "*"):
		case line == "":
			continue
		default:
			return strings.Join(list, " ")
		}
		if _, options, ok := strings.Cut(line, OptionsComment); ok {
			list = append(list, strings.TrimSpace(strings.TrimSuffix(options, "*/")))
		}
	}
	return strings.Join(list, " ")
}

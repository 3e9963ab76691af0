package ide

// A region is the kind of text that a byte belongs to.
type region uint8

const (
	inCode region = iota
	inComment
	inString
)

// regions returns the region of each byte of a text, and that of a byte appended to it. The delimiters of strings
// and comments belong to them.
func regions(text []byte) (list []region, end region) {
	list = make([]region, len(text))
	mark := func(from, to int, r region) {
		for i := from; i < to; i++ {
			list[i] = r
		}
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			j := i
			for j < len(text) && (text[j] != '\n' || text[j-1] == '\\') {
				j++
			}
			mark(i, j, inComment)
			if i = j; i == len(text) {
				return list, inComment
			}
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			j := i + 2
			for j < len(text) && !(text[j] == '/' && text[j-1] == '*' && j > i+2) {
				j++
			}
			if j == len(text) {
				mark(i, j, inComment)
				return list, inComment
			}
			mark(i, j+1, inComment)
			i = j + 1
		case c == '"' || c == '\'':
			j := i + 1
			for j < len(text) && text[j] != c && text[j] != '\n' {
				if text[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j, len(text))
			if j == len(text) {
				mark(i, j, inString)
				return list, inString
			}
			mark(i, j+1, inString)
			i = j + 1
		default:
			i++
		}
	}
	return list, inCode
}

// lineStart returns the start of the line that contains an offset.
func lineStart(text []byte, off int) int {
	for off > 0 && text[off-1] != '\n' {
		off--
	}
	return off
}

// A call is a call or macro invocation whose arguments are being written.
type call struct {
	name       string
	start, end int      // range of the name
	args       [][2]int // ranges of the arguments up to the offset; the last one is being written
}

// maxCallText bounds the distance from the offset back to the start of a call.
const maxCallText = 1 << 14

// callAround returns the innermost call whose parentheses contain an offset, or nil.
func callAround(text []byte, off int) *call {
	from := max(0, off-maxCallText)
	all, _ := regions(text[:off])
	depth := 0
	var commas []int
	for i := off - 1; i >= from; i-- {
		if all[i] != inCode {
			continue
		}
		switch text[i] {
		case ')', ']', '}':
			depth++
		case '[':
			if depth--; depth < 0 {
				depth, commas = 0, nil // skip an index in an argument
			}
		case '{', ';':
			if depth == 0 {
				return nil
			}
			if text[i] == '{' {
				depth--
			}
		case ',':
			if depth == 0 {
				commas = append(commas, i)
			}
		case '(':
			if depth--; depth >= 0 {
				continue
			}
			end := i
			for end > from && isBlank(text[end-1]) {
				end--
			}
			name, start, _ := word(text[:end], end)
			if name == "" || '0' <= name[0] && name[0] <= '9' || notCallable[name] {
				depth, commas = 0, nil // skip parentheses in an argument
				continue
			}
			c := &call{name: name, start: start, end: end}
			at := i + 1
			for k := len(commas) - 1; k >= 0; k-- {
				c.args = append(c.args, trimmed(text, at, commas[k]))
				at = commas[k] + 1
			}
			c.args = append(c.args, trimmed(text, at, off))
			return c
		}
	}
	return nil
}

// notCallable are words before a parenthesis that are not calls.
var notCallable = map[string]bool{"if": true, "for": true, "while": true, "switch": true, "return": true, "sizeof": true,
	"__attribute__": true, "defined": true, "else": true, "do": true, "case": true}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// trimmed returns a range without the blanks at its ends.
func trimmed(text []byte, from, to int) [2]int {
	for from < to && isBlank(text[from]) {
		from++
	}
	for to > from && isBlank(text[to-1]) {
		to--
	}
	return [2]int{from, to}
}

package diag

import "sort"

// A Level is the treatment of a warning.
type Level uint8

// The levels, as "#pragma clang diagnostic" sets them.
const (
	unset     Level = iota // no pragma has set it
	Ignored                // not reported
	AsWarning              // reported
	AsError                // reported as an error
)

// level returns the level of the warning c after the options. If off is set, the warning is off unless the
// options name it.
func (cfg *Config) level(c *Code, off bool) Level {
	on, set := cfg.Enable[c.Name]
	if !set && c.Group != "" {
		on, set = cfg.Enable[c.Group]
	}
	if !set {
		on, set = cfg.Enable["everything"]
	}
	if set && !on || !set && off {
		return Ignored
	}
	return cfg.wanted(c)
}

// wanted returns the level of the warning c, which is on by default.
func (cfg *Config) wanted(c *Code) Level {
	asError, named := cfg.ErrorOf[c.Name]
	switch {
	case cfg.NoWarnings:
		return Ignored
	case asError || !named && cfg.Werror:
		return AsError
	}
	return AsWarning
}

// levels are the levels set by pragmas, by Code.index. They are immutable.
type levels []Level

// A levelPoint is the position in a file or an expansion from which new levels hold; nil levels are those of the
// options.
type levelPoint struct {
	at     Pos
	levels levels
}

// pragmas returns the levels that hold at p, nil if no pragma has set any.
func (s *Source) pragmas(p Pos) levels {
	for e := s.find(p); e != nil; e = s.find(p) {
		list := s.points[e.base]
		if i := sort.Search(len(list), func(i int) bool { return list[i].at > p }) - 1; i >= 0 {
			return list[i].levels
		}
		if e.file != nil {
			break
		}
		p = e.call.Pos
	}
	return nil
}

// level returns the level of the warning c at p after pragmas and options; nil options mean those of the file.
func (s *Source) level(c *Code, p Pos, off bool, cfg *Config) Level {
	if cfg == nil {
		cfg = s.config
		if f, _ := s.File(s.Outermost(p)); f != nil {
			cfg = f.config
		}
	}
	if table := s.pragmas(p); table != nil {
		switch l := table[c.index]; l {
		case Ignored, AsError:
			return l
		case AsWarning:
			return cfg.wanted(c)
		}
	}
	return cfg.level(c, off)
}

// Finding returns the severity of a finding of code c at p. Options and pragmas can disable a
// finding that is no error, or make it an error, as they do warnings of the compiler; wanted is
// false for a disabled one.
func (s *Source) Finding(c *Code, p Pos) (sev Severity, wanted bool) {
	if c.Severity != Warning || s == nil {
		return c.Severity, true
	}
	switch s.level(c, p, false, nil) { // checks are explicitly requested: none is off by default
	case Ignored:
		return Warning, false
	case AsError:
		return Error, true
	}
	return Warning, true
}

// A pragmaState is the state of "#pragma clang diagnostic" at the preprocessor's current position.
type pragmaState struct {
	levels levels
	stack  []levels
}

// SetLevel executes a pragma: the warnings of a code or group, "" for none, are ignored, warnings or errors
// from p on. It ignores names of other compilers.
func (r *Reporter) SetLevel(p Pos, group string, l Level) {
	table := make(levels, len(Codes))
	copy(table, r.pragmas.levels)
	for _, c := range Codes {
		if c.Severity == Warning && (c.Name == group || c.Group == group && group != "" || group == "everything") {
			table[c.index] = l
		}
	}
	r.setLevels(p, table)
}

// PushLevels saves the levels of warnings for PopLevels.
func (r *Reporter) PushLevels() { r.pragmas.stack = append(r.pragmas.stack, r.pragmas.levels) }

// PopLevels restores, from p on, the levels of the matching PushLevels; it returns false if there is none.
func (r *Reporter) PopLevels(p Pos) bool {
	n := len(r.pragmas.stack)
	if n == 0 {
		return false
	}
	table := r.pragmas.stack[n-1]
	r.pragmas.stack = r.pragmas.stack[:n-1]
	r.setLevels(p, table)
	return true
}

// ContinueLevels sets the levels at p and after it in its file to the preprocessor's current ones: at the beginning
// of an included file, and after the #include.
func (r *Reporter) ContinueLevels(p Pos) {
	if r.anyPragma {
		r.setLevels(p, r.pragmas.levels)
	}
}

func (r *Reporter) setLevels(p Pos, table levels) {
	r.anyPragma = true
	r.pragmas.levels = table
	s := r.Source
	if s.points == nil {
		s.points = map[Pos][]levelPoint{}
	}
	for e := s.find(p); e != nil; e = s.find(p) {
		list := s.points[e.base]
		if n := len(list); n > 0 && list[n-1].at >= p {
			list[n-1].levels = table
		} else {
			s.points[e.base] = append(list, levelPoint{p, table})
		}
		if e.file != nil {
			break
		}
		p = e.call.End // the text after the macro's invocation
	}
}

package interp

func init() { debugPanics = true }

package device

// Resume allows launches after StopAll.
func Resume() { exiting.Store(false) }

package exec

import "context"

// A Labeller marks goroutines for profilers while they run kernels.
type Labeller interface {
	// Label returns ctx with the labels of a kernel's launch on a device.
	Label(ctx context.Context, kernel, device string) context.Context
	// Set sets the goroutine's labels to those of ctx.
	Set(ctx context.Context)
}

var labeller Labeller

// SetLabeller sets the labeller. Only a package's init may call it, as for Register.
func SetLabeller(l Labeller) { labeller = l }

// Labels are the labels of one launch. The zero value has none.
type Labels struct{ with, before context.Context }

// LaunchLabels returns the labels of a launch, none without a labeller.
func LaunchLabels(ctx context.Context, kernel, device string) Labels {
	if labeller == nil {
		return Labels{}
	}
	return Labels{labeller.Label(ctx, kernel, device), ctx}
}

// Set labels the goroutine. The caller must call Unset afterwards.
func (l Labels) Set() {
	if l.with != nil {
		labeller.Set(l.with)
	}
}

// Unset restores the labels of the launching goroutine's context.
func (l Labels) Unset() {
	if l.with != nil {
		labeller.Set(l.before)
	}
}

// Clear removes the labels from a helper's goroutine.
func (l Labels) Clear() {
	if l.with != nil {
		labeller.Set(context.Background())
	}
}

package exec

import "context"

// A Labeller marks goroutines for profilers while they run kernels.
type Labeller interface {
	// Label returns ctx with the labels of a kernel's launch on a device.
	Label(ctx context.Context, kernel, device string) context.Context
	// Set gives the goroutine the labels of ctx and no others.
	Set(ctx context.Context)
}

var labeller Labeller

// SetLabeller chooses the labeller. A package's init calls it, as Register.
func SetLabeller(l Labeller) { labeller = l }

// Labels are those of one launch. The zero value has none.
type Labels struct{ with, before context.Context }

// LaunchLabels returns the labels of a launch, none without a labeller.
func LaunchLabels(ctx context.Context, kernel, device string) Labels {
	if labeller == nil {
		return Labels{}
	}
	return Labels{labeller.Label(ctx, kernel, device), ctx}
}

// Set labels the goroutine. The caller calls Unset when it has done its part.
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

// Clear leaves a helper's goroutine without labels.
func (l Labels) Clear() {
	if l.with != nil {
		labeller.Set(context.Background())
	}
}

package beam

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/purecl/purecl"
)

// A mapRun runs a kernel over one batch of a Mapping.
type mapRun struct {
	*mapping
	constants any
	fail      bool // the first bad element ends the run
}

// batch runs the kernel over the batch. emit is called with the results of good elements and their indices in the
// batch, nil for all in order. bad is called for each element that faults alone, with its index; its error ends the
// run.
//
// A fault may depend on an element's neighbours: then the launch over the good elements faults again, and halves
// runs them.
func (r *mapRun) batch(ctx context.Context, in *columns, emit func(*columns, []int), bad func(int, *purecl.FaultError) error) error {
	out, fault, err := r.launch(ctx, in)
	if err != nil {
		return err
	}
	if fault == nil {
		emit(out, nil)
		return nil
	}
	faults := map[int]*purecl.FaultError{}
	if in.n == 1 {
		faults[0] = fault
	} else if err := r.suspects(ctx, in, fault, faults); err != nil {
		return err
	}
	rest := make([]int, 0, in.n)
	for i := range in.n {
		if faults[i] == nil {
			rest = append(rest, i)
			continue
		}
		countFault(ctx)
		if err := bad(i, faults[i]); err != nil {
			return err
		}
	}
	return r.halves(ctx, in, rest, emit, bad)
}

// halves runs the kernel over the elements with the given indices, and over each half of them if it faults.
func (r *mapRun) halves(ctx context.Context, in *columns, numbers []int, emit func(*columns, []int), bad func(int, *purecl.FaultError) error) error {
	if len(numbers) == 0 {
		return nil
	}
	out, fault, err := r.launch(ctx, in.gather(numbers))
	switch n := len(numbers); {
	case err != nil:
		return err
	case fault == nil:
		emit(out, numbers)
		return nil
	case n == 1:
		countFault(ctx)
		return bad(numbers[0], fault)
	default:
		if err := r.halves(ctx, in, numbers[:n/2], emit, bad); err != nil {
			return err
		}
		return r.halves(ctx, in, numbers[n/2:], emit, bad)
	}
}

// suspects adds to faults the elements that fault alone, as far as launches of parts of the batch find them. fault
// is the fault of the whole batch's launch. The more elements fault, the smaller are the parts.
func (r *mapRun) suspects(ctx context.Context, in *columns, fault *purecl.FaultError, faults map[int]*purecl.FaultError) error {
	size := max(1, in.n/max(1, faultCount(fault)))
	for from := 0; from < in.n; from += size {
		to := min(from+size, in.n)
		for first := from; first < to; {
			_, fault, err := r.launch(ctx, in.part(first, to))
			if err != nil {
				return err
			}
			if fault == nil {
				break
			}
			named := namedBy(fault)
			for _, i := range named {
				if err := r.alone(ctx, in, first+i, to-first, fault, faults); err != nil {
					return err
				}
			}
			if r.fail && len(faults) > 0 {
				return nil
			}
			if len(named) == 0 || len(named) >= faultCount(fault) {
				break
			}
			first += named[0] + 1 // the elements before it do not fault
		}
	}
	return nil
}

// alone runs the kernel over element i, and adds its fault to faults. fault is the fault of a launch of n elements
// that include i.
func (r *mapRun) alone(ctx context.Context, in *columns, i, n int, fault *purecl.FaultError, faults map[int]*purecl.FaultError) (err error) {
	if i >= in.n || faults[i] != nil {
		return nil
	}
	if n > 1 {
		if _, fault, err = r.launch(ctx, in.part(i, i+1)); err != nil || fault == nil {
			return err
		}
	}
	faults[i] = fault
	return nil
}

// launch runs the kernel over elements. fault is the kernel's mistake, err any other error.
func (r *mapRun) launch(ctx context.Context, in *columns) (out *columns, fault *purecl.FaultError, err error) {
	args, out := r.binding.args(in, r.constants, nil)
	begin := time.Now()
	err = r.cl.Run(ctx, purecl.Range(in.n), args...)
	countLaunch(ctx, begin, in.n*(bytesOf(in.list)+bytesOf(out.list)))
	if fault := faultOf(err); fault != nil {
		return nil, fault, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("beam: %w", err)
	}
	return out, nil, nil
}

// faultCount returns the number of faulting work-items of a launch. Each stops at its first fault.
func faultCount(fault *purecl.FaultError) (n int) {
	for _, f := range fault.Findings {
		n += int(min(f.Count, 1<<30))
	}
	return n
}

// namedBy returns the work-items in the findings, in order: the first at each position.
func namedBy(fault *purecl.FaultError) (list []int) {
	for _, f := range fault.Findings {
		list = append(list, int(f.GlobalID[0]))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

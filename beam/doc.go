// Package beam runs OpenCL C kernels over Apache Beam collections, on any runner of Beam's Go SDK: Prism on one
// machine, Flink, Spark and Dataflow on many.
//
// Three transforms exist. [Map] runs a kernel over elements, [Tiles] over the tiles of pictures and volumes larger
// than memory, [Reduce] folds elements. Each is declared as a package-level variable, because the workers, which
// run the same program, must know its types before beam.Init:
//
//	var price = beam.NewMap[string, Option, Price, Market](beam.Kernel{Source: source, Name: "price"})
//
// Apply adds the transform to a pipeline. It compiles the kernel and checks its parameters, so that a mistake is an
// error before the pipeline starts.
//
// # Parameters
//
// A kernel's parameters are matched by name. The columns of a batch are slices, one for each field of the element
// type: the field Spot is the parameter spot, ignoring case; a tag `cl:"name"` sets another name. If the element
// type is not a struct, its column is called in for the input and out for the output. Numbers and tables that all
// elements share are fields of the constants, which are a side input: numbers are passed by value, slices as
// buffers. The parameter n, unless the constants have one, is the number of elements of the batch.
//
// # Bad elements
//
// If a kernel faults on a batch, the launch reports how many elements fault and names some. Launches of small parts
// of the batch find the others. Each runs once more alone, so that its finding does not depend on the batch.
// Elements that fault alone go to the second output with their key and the finding, or fail the pipeline, as chosen
// in [Options]. A launch over all others computes the results. If it faults too, the batch is halved until each bad
// element is alone.
//
// # Windows
//
// Elements in fixed windows keep window and timestamp, and a reduction has a result for each window. Elements must
// not be in sliding windows or sessions: Apply returns an error. The windows are recomputed from the timestamps as
// beam.WindowInto does, because batches end with Beam's bundles, at which the Go SDK emits into the global window
// only.
//
// The package must not know of any runner. Start reading at kernel.go, then map.go.
package beam

// Package beam runs OpenCL C kernels over Apache Beam collections, on any runner that Beam's Go
// SDK has: Prism on one machine, Flink, Spark and Dataflow on many.
//
// Three transforms exist. [Map] runs a kernel over elements, [Tiles] over the tiles of pictures
// and volumes larger than memory, [Reduce] folds elements. Each is declared as a package-level
// variable, because the workers, which run the same program, must know its types before
// beam.Init:
//
//	var price = beam.NewMap[string, Option, Price, Market](beam.Kernel{Source: source, Name: "price"})
//
// Apply adds the transform to a pipeline. It compiles the kernel and checks its parameters, so
// that a mistake is an error before the pipeline starts.
//
// # Parameters
//
// A kernel's parameters are matched by name. The columns of a batch are slices, one for each
// field of the element type: the field Spot is the parameter spot (case does not matter; a tag
// `cl:"name"` gives another name). An element type that is no struct is the column in of
// input, out of output. Numbers and tables that are the same for all elements are fields of the
// constants, which travel as a side input: numbers are passed by value, slices as buffers. The
// parameter n, unless the constants have one, is the number of elements of the batch.
//
// # Bad elements
//
// A kernel that faults on a batch runs again on its halves until each bad element stands alone.
// Bad elements go to the second output with their key and the finding, or fail the pipeline,
// as [Options] say. The results of the others are those of batches without the bad ones.
//
// # Windows
//
// Batches end with Beam's bundles. The Go SDK emits at the end of a bundle into the global
// window only, so that elements in other windows are an error. Timestamps are kept.
//
// The package must not know of any runner. Start reading at kernel.go, then map.go.
package beam

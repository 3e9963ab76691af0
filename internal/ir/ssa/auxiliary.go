package ssa

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// An AuxKind is the meaning of an op's Aux: a row of auxFields, which the printer, the parser and the verifier
// use.
type AuxKind uint8

// The meanings.
const (
	AuxNone       AuxKind = iota // Aux is 0
	AuxIndex                     // number of a parameter
	AuxLane                      // number of an element
	AuxAlign                     // alignment in bytes
	AuxSize                      // number of bytes
	AuxConvert                   // ConvAux
	AuxAtomic                    // AtomicAux without an operation
	AuxRMW                       // AtomicAux
	AuxCAS                       // AtomicAux without an operation, WithFailure
	AuxFence                     // AtomicAux with fence flags for the operation
	AuxBarrier                   // likewise, without an order
	AuxQuery                     // WorkItemQuery
	AuxDot                       // DotSigned0 …
	AuxEnd                       // EndFirst …
	AuxInside                    // InsideLoop …
	AuxObject                    // ObjectBytes …
	AuxGangs                     // GangsBegin …
	AuxImageQuery                // ImageWidth …
	AuxFlags                     // memory fence flags
	numAux
)

// An auxField is a part of an Aux: a number, or an enumeration whose value is an index into names.
type auxField struct {
	key          string   // in the text form "key=value"; "" if the names are suffixes of the op
	shift, width uint8    // bits
	names        []string // of an enumeration; "" is not printed
	most         int64    // greatest value of a number
	optional     bool     // 0 is not printed
}

// anyNumber is the greatest value of fields without a limit.
const anyNumber = 1<<63 - 1

var (
	orderField = auxField{key: "order", shift: 8, width: 8, names: orderNames[:]}
	scopeField = auxField{key: "scope", shift: 16, width: 8, names: scopeNames[:]}
)

// auxFields is the table of meanings.
var auxFields = [numAux][]auxField{
	AuxIndex: {{key: "index", width: 63, most: anyNumber}},
	AuxLane:  {{key: "lane", width: 63, most: anyNumber}},
	AuxAlign: {{key: "align", width: 63, most: anyNumber}},
	AuxSize:  {{key: "size", width: 63, most: anyNumber}},
	AuxConvert: {
		{shift: 3, width: 1, names: []string{"", "sat"}},
		{width: 3, names: opencl.Roundings[:]}},
	AuxAtomic: {orderField, scopeField},
	AuxRMW:    {{width: 8, names: RMWNames[:]}, orderField, scopeField},
	AuxCAS:    {orderField, scopeField, {key: "failure", shift: 24, width: 8, names: orderNames[:], optional: true}},
	AuxFence:  {{key: "flags", width: 8, most: LocalFence | GlobalFence | ImageFence}, orderField, scopeField},
	AuxBarrier: {
		{key: "flags", width: 8, most: LocalFence | GlobalFence | ImageFence | WaitCopies},
		{key: "scope", shift: 16, width: 8, names: scopeNames[:], optional: true}},
	AuxQuery:  {{key: "query", width: 8, names: QueryNames[:]}},
	AuxDot:    {{key: "parts", width: 8, names: DotNames[:]}},
	AuxEnd:    {{key: "end", width: 8, names: EndNames[:]}},
	AuxInside: {{key: "of", width: 8, names: InsideNames[:]}},
	AuxObject: {{key: "of", width: 8, names: ObjectNames[:]}},
	AuxGangs:  {{key: "at", width: 8, names: GangsNames[:]}},

	AuxImageQuery: {{key: "query", width: 8, names: ImageQueryNames[:]}},
	AuxFlags:      {{key: "flags", width: 8, most: LocalFence | GlobalFence | ImageFence}},
}

// get returns the field's value in an Aux.
func (f *auxField) get(aux int64) int64 { return aux >> f.shift & (1<<f.width - 1) }

// with returns an Aux with another value of the field.
func (f *auxField) with(aux, x int64) int64 {
	return aux&^((1<<f.width-1)<<f.shift) | x<<f.shift
}

// limit returns the greatest value of the field.
func (f *auxField) limit() int64 {
	if f.names != nil {
		return int64(len(f.names)) - 1
	}
	return f.most
}

// auxOK reports whether aux is a valid Aux of kind k.
func auxOK(k AuxKind, aux int64) bool {
	for i := range auxFields[k] {
		f := &auxFields[k][i]
		if f.get(aux) > f.limit() {
			return false
		}
		aux = f.with(aux, 0)
	}
	return aux == 0
}

// ConvAux packs the Aux of an OpConvert.
func ConvAux(sat bool, r numeric.Round) int64 {
	aux := int64(r)
	if sat {
		aux |= 8
	}
	return aux
}

// ConvParts unpacks the Aux of an OpConvert.
func ConvParts(aux int64) (sat bool, r numeric.Round) { return aux&8 != 0, numeric.Round(aux & 7) }

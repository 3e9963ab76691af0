//go:build js && wasm

package bridge

import "syscall/js"

// A Func serves a method for the page.
type Func func(method string, params []byte, files map[string][]byte) (value []byte, bytes [][]byte, err error)

// Serve makes f the global JavaScript function pureclCall, then calls pureclReady. It never returns.
func Serve(f Func) {
	js.Global().Set("pureclCall", js.FuncOf(func(_ js.Value, args []js.Value) any { return call(f, args) }))
	js.Global().Call("pureclReady")
	select {}
}

func call(f Func, args []js.Value) any {
	array, object := js.Global().Get("Uint8Array"), js.Global().Get("Object")
	files := map[string][]byte{}
	if len(args) > 2 && args[2].Truthy() {
		names := object.Call("keys", args[2])
		for i := range names.Length() {
			name := names.Index(i).String()
			from := args[2].Get(name)
			b := make([]byte, from.Length())
			js.CopyBytesToGo(b, from)
			files[name] = b
		}
	}
	value, bytes, err := f(args[0].String(), []byte(args[1].String()), files)
	out := object.New()
	if err != nil {
		out.Set("error", err.Error())
		return out
	}
	list := js.Global().Get("Array").New()
	for _, b := range bytes {
		to := array.New(len(b))
		js.CopyBytesToJS(to, b)
		list.Call("push", to)
	}
	out.Set("value", string(value))
	out.Set("bytes", list)
	return out
}

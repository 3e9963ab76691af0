// A Web Worker with one instance of a Go program. The first message is the program, the others are requests.
/// <reference lib="webworker" />
import "wasm_exec";
import type { Message, Request } from "./protocol";

interface Called { value?: string; bytes?: Uint8Array[]; error?: string }
declare const self: DedicatedWorkerGlobalScope & {
  Go: new () => { importObject: WebAssembly.Imports; run(i: WebAssembly.Instance): Promise<void> };
  pureclReady: () => void;
  pureclProgress: (done: number, total: number) => void;
  pureclCall: (method: string, params: string, files?: object) => Called;
};

const post = (m: Message, transfer: Transferable[] = []) => self.postMessage(m, transfer);
const die = (reason: string) => post({ kind: "dead", reason });

// The Go runtime writes its last messages to the console; their first line is the reason of its end.
let last = "";
const log = console.log;
console.log = console.error = (...args: unknown[]) => {
  last ||= String(args[0]).split("\n")[0];
  log(...args);
};

self.pureclReady = () => post({ kind: "ready" });
self.pureclProgress = (done, total) => post({ kind: "progress", done, total });

async function start(module: WebAssembly.Module) {
  try {
    const go = new self.Go();
    await go.run(await WebAssembly.instantiate(module, go.importObject));
    die(last || "the program has ended");
  } catch (e) {
    die(String(e));
  }
}

function serve(r: Request) {
  try {
    const out = self.pureclCall(r.method, r.params, r.files);
    if (out === undefined) { // the Go program has ended
      die(last || "the program has ended");
      return;
    }
    const bytes = out.bytes ?? [];
    post({ kind: "reply", id: r.id, value: out.value, bytes, error: out.error }, bytes.map((b) => b.buffer as ArrayBuffer));
  } catch (e) {
    const deep = e instanceof RangeError;
    die(deep ? "it needs more stack than the browser has: something is nested very deeply" : last || String(e));
  }
}

self.onmessage = (e: MessageEvent<WebAssembly.Module | Request>) => {
  if (e.data instanceof WebAssembly.Module) {
    void start(e.data);
  } else {
    serve(e.data);
  }
};

import type { Files, Message } from "./protocol";

// Program fetches and compiles a WebAssembly file once for all workers.
export class Program {
  private module?: Promise<WebAssembly.Module>;
  constructor(private file: string) {}

  load(): Promise<WebAssembly.Module> {
    this.module ??= this.compile().catch((e) => {
      this.module = undefined;
      throw e;
    });
    return this.module;
  }

  private async compile() {
    const response = await fetch(this.file, { credentials: "same-origin" });
    if (!response.ok) {
      throw new Error(`${this.file} cannot be loaded: ${response.status} ${response.statusText}`);
    }
    if (response.headers.get("Content-Type")?.startsWith("application/wasm")) {
      return WebAssembly.compileStreaming(response);
    }
    return WebAssembly.compile(await response.arrayBuffer());
  }
}

export interface Reply<T> { value: T; bytes: Uint8Array[] }

interface Waiting { resolve: (r: Reply<unknown>) => void; reject: (e: Error) => void }

// Stopped is the error of a request whose worker was ended.
export class Stopped extends Error {}

// Instance is a worker with a program. It starts at the first call, and again after it has died or was stopped.
export class Instance {
  onprogress?: (done: number, total: number) => void;
  private worker?: Worker;
  private ready?: Promise<void>;
  private waiting = new Map<number, Waiting>();
  private next = 0;

  constructor(private program: Program) {}

  start(): Promise<void> {
    this.ready ??= new Promise<void>((resolve, reject) => {
      const w = new Worker("worker.js"); // while the program is loaded
      this.worker = w;
      const fail = (e: Error) => {
        this.end(e);
        reject(e);
      };
      w.onmessage = (e: MessageEvent<Message>) => this.receive(e.data, resolve);
      w.onerror = (e) => fail(new Error(e.message || "the worker cannot be started"));
      this.program.load().then((module) => w.postMessage(module), fail);
    });
    return this.ready;
  }

  async call<T>(method: string, params: object, files?: Files): Promise<Reply<T>> {
    await this.start();
    return new Promise<Reply<T>>((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.worker!.postMessage({ id, method, params: JSON.stringify(params), files });
    });
  }

  private receive(m: Message, ready: () => void) {
    switch (m.kind) {
      case "ready":
        return ready();
      case "progress":
        return this.onprogress?.(m.done, m.total);
      case "dead":
        return this.end(new Error(`the compiler has stopped and was started again: ${m.reason}`));
      case "reply": {
        const w = this.waiting.get(m.id);
        this.waiting.delete(m.id);
        if (m.error !== undefined) {
          w?.reject(new Error(m.error));
        } else {
          w?.resolve({ value: JSON.parse(m.value!), bytes: m.bytes! });
        }
      }
    }
  }

  // stop ends the worker, even if it is busy.
  stop() {
    this.end(new Stopped("stopped"));
  }

  private end(e: Error) {
    this.worker?.terminate();
    this.worker = this.ready = undefined;
    const list = [...this.waiting.values()];
    this.waiting.clear();
    list.forEach((w) => w.reject(e));
  }
}

import type { Files } from "./protocol";

// State is what a link holds.
export interface State {
  text: string;
  options: string;
  kernel: string;
  args: Record<string, string>;
  global: string;
  local: string;
  offset: string;
  checks: string;
  robust: boolean;
  files: Files;
}

const maxText = 8 << 20; // bytes of a link's state, unpacked
export const maxFiles = 64 << 10; // bytes of files in a link

interface Packed extends Omit<State, "files"> { files?: Record<string, string> }

function toBase64(b: Uint8Array): string {
  let s = "";
  for (let i = 0; i < b.length; i += 0x8000) {
    s += String.fromCharCode(...b.subarray(i, i + 0x8000));
  }
  return btoa(s);
}

export function fromBase64(s: string): Uint8Array {
  return Uint8Array.from(atob(s), (c) => c.charCodeAt(0));
}

class TooLarge extends Error {}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  const writing = writer.write(bytes as BufferSource).then(() => writer.close());
  writing.catch(() => {}); // the reader has the error
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = (stream.readable as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    size += value.length;
    if (size > maxText) {
      await reader.cancel();
      throw new TooLarge(`it holds more than ${maxText >> 20} MiB`);
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const p of parts) {
    all.set(p, at);
    at += p.length;
  }
  return all;
}

// pack returns the fragment of a link, and the names of the files that are too large for it.
export async function pack(state: State): Promise<{ fragment: string; left: string[] }> {
  const { files, ...rest } = state;
  const out: Packed = rest;
  const left: string[] = [];
  let room = maxFiles;
  for (const [name, b] of Object.entries(files)) {
    if (!Object.values(state.args).includes(name)) {
      continue;
    }
    if (b.length > room) {
      left.push(name);
    } else {
      room -= b.length;
      (out.files ??= {})[name] = toBase64(b);
    }
  }
  const bytes = await through(new TextEncoder().encode(JSON.stringify(out)), new CompressionStream("deflate-raw"));
  return { fragment: "#s=" + toBase64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, ""), left };
}

async function read(packed: string): Promise<Partial<Packed>> {
  try {
    const bytes = await through(fromBase64(packed), new DecompressionStream("deflate-raw"));
    return JSON.parse(new TextDecoder().decode(bytes)) as Partial<Packed>;
  } catch (e) {
    throw e instanceof TooLarge ? e : new Error("it is cut off, or has changed on its way");
  }
}

// unpack reads a link's fragment; undefined where it has no state.
export async function unpack(fragment: string): Promise<State | undefined> {
  const m = /^#s=([\w-]*)$/.exec(fragment);
  if (!m) {
    if (fragment.startsWith("#s=")) {
      throw new Error("it has characters that no link has");
    }
    return undefined;
  }
  const p = await read(m[1].replace(/-/g, "+").replace(/_/g, "/"));
  const text = (v: unknown) => (typeof v === "string" ? v : "");
  const state: State = { text: text(p.text), options: text(p.options), kernel: text(p.kernel), args: {}, global: text(p.global), local: text(p.local), offset: text(p.offset), checks: text(p.checks) || "all", robust: p.robust === true, files: {} };
  for (const [k, v] of Object.entries(p.args ?? {})) {
    state.args[k] = text(v);
  }
  for (const [k, v] of Object.entries(p.files ?? {})) {
    state.files[k] = fromBase64(text(v));
  }
  return state;
}

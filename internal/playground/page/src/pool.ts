import { Instance, type Program } from "./instance";
import type { Files, Finding, Launch, Prepared, Ran, View } from "./protocol";

// The number of parts of a run per worker, so that all end together although parts differ.
const partsEach = 8;

export interface Outcome extends Ran { prepared: Prepared; workers: number }

// Pool runs kernels: each worker has a copy of the buffers and takes parts of the work-groups.
export class Pool {
  private instances: Instance[] = [];
  private size = 1; // workers of the last run
  constructor(private program: Program) {}

  // warm starts workers before the first run.
  async warm(n: number, source: { text: string; options: string }) {
    await Promise.all(this.take(n).map((i) => i.call("kernels", source).catch(() => undefined)));
  }

  private take(n: number): Instance[] {
    while (this.instances.length < n) {
      this.instances.push(new Instance(this.program));
    }
    return this.instances.slice(0, n);
  }

  async run(l: Launch, files: Files, workers: number, progress: (share: number) => void): Promise<Outcome> {
    const first = this.take(1)[0];
    l = { ...l, parts: workers > 1 };
    const prepared = (await first.call<Prepared>("prepare", l, files)).value;
    const n = prepared.alone || prepared.items < 4096 ? 1 : workers;
    this.size = n;
    const list = this.take(n);
    await Promise.all(list.slice(1).map((i) => i.call("prepare", l, files)));
    const of = n === 1 ? 1 : n * partsEach;
    const done = new Array<number>(of).fill(0);
    const results = new Array<Ran>(of);
    let next = 0;
    const start = performance.now();
    await Promise.all(list.map(async (i) => {
      for (let part = next++; part < of; part = next++) {
        i.onprogress = (d, total) => {
          done[part] = d / total;
          progress(done.reduce((a, b) => a + b) / of);
        };
        results[part] = (await i.call<Ran>("run", n === 1 ? { index: 0, of: 0 } : { index: part, of })).value;
        done[part] = 1;
        progress(done.reduce((a, b) => a + b) / of);
      }
    }));
    const changes = await Promise.all(list.slice(1).map((i) => i.call<null>("changes", {})));
    for (const c of changes) {
      await first.call("merge", {}, Object.fromEntries(c.bytes.map((b, k) => [String(k), b])));
    }
    const millis = performance.now() - start;
    return { prepared, workers: n, millis, findings: merged(results.flatMap((r) => r.findings)), printed: results.map((r) => r.printed).join(""), failed: results.some((r) => r.failed) };
  }

  async view(name: string, as: string): Promise<{ view: View; pixels?: Uint8Array }> {
    const r = await this.instances[0].call<View>("view", { name, as });
    return { view: r.value, pixels: r.bytes[0] };
  }

  async save(name: string, file: string): Promise<Uint8Array> {
    return (await this.instances[0].call("save", { name, file })).bytes[0];
  }

  // stop ends a run: the workers are ended, and start again at the next.
  stop() {
    this.instances.slice(0, Math.max(this.size, 1)).forEach((i) => i.stop());
  }
}

// merged counts the findings of one place and kind together, as one run does; the first work-item is shown for all.
function merged(list: Finding[]): Finding[] {
  const out = new Map<string, Finding>();
  for (const f of list) {
    const key = `${f.code} ${f.from} ${f.to} ${f.line}`;
    const g = out.get(key);
    if (g) {
      g.count += f.count;
    } else {
      out.set(key, { ...f });
    }
  }
  return [...out.values()];
}

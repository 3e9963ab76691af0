import { byId, errorText, h } from "./dom";
import { hue, type Editor } from "./editor";
import { Instance, Program } from "./instance";
import type { Listing } from "./protocol";
import { choose } from "./controls";

const titles: Record<string, string> = { ptx: "PTX (NVIDIA)", avx2: "x86-64: AVX2", avx2vnni: "x86-64: AVX2 with VNNI", avx512: "x86-64: AVX-512", avx512vnni: "x86-64: AVX-512 with VNNI", avx512fp16: "x86-64: AVX-512 with FP16" };

// Listings shows the code of the kernel beside its source. Its program is fetched at the first use.
export class Listings {
  private instance = new Instance(new Program("listing.wasm"));
  private rows = new Map<number, HTMLElement[]>(); // by line of the source
  private asked = 0;

  constructor(private editor: Editor, private source: () => { text: string; options: string; kernel: string }) {
    const select = byId<HTMLSelectElement>("listing-target");
    select.replaceChildren(...Object.entries(titles).map(([value, text]) => h("option", { value }, text)));
    select.onchange = () => void this.show();
    choose("listing-target", Object.keys(titles), "avx2");
    [...select.options].forEach((o) => (o.textContent = titles[o.value]));
  }

  async show() {
    const status = byId("listing-status");
    const asked = ++this.asked;
    status.textContent = "making the listing…";
    try {
      const target = byId<HTMLSelectElement>("listing-target").value;
      const { value } = await this.instance.call<Listing>("list", { ...this.source(), target });
      if (asked === this.asked) {
        status.textContent = value.summary;
        this.fill(value);
      }
    } catch (e) {
      if (asked === this.asked) {
        this.hide();
        byId("listing").replaceChildren();
        status.textContent = errorText(e);
      }
    }
  }

  private fill(l: Listing) {
    this.rows.clear();
    const used = new Set<number>();
    byId("listing").replaceChildren(...l.lines.map((x) => {
      const row = h("div", { className: "row" + (x.cold ? " cold" : "") + (x.source ? ` ${hue(x.source)}` : "") }, h("span", { className: "of" }, x.source ? String(x.source) : ""), x.text);
      if (x.source) {
        used.add(x.source);
        this.rows.set(x.source, [...(this.rows.get(x.source) ?? []), row]);
        row.onmouseenter = () => this.point(x.source);
        row.onmouseleave = () => this.point(0);
        row.onclick = () => {
          const line = this.editor.view.state.doc.line(Math.min(x.source, this.editor.view.state.doc.lines));
          this.editor.select({ from: line.from, to: line.to });
        };
      }
      return row;
    }));
    this.editor.lines(used);
  }

  // point highlights a line of the source and its code.
  point(line: number, fromSource = false) {
    byId("listing").querySelectorAll(".linked").forEach((e) => e.classList.remove("linked"));
    const rows = this.rows.get(line) ?? [];
    rows.forEach((r) => r.classList.add("linked"));
    this.editor.point(rows.length > 0 ? line : 0);
    if (fromSource && rows.length > 0) {
      rows[0].scrollIntoView({ block: "nearest" });
    }
  }

  hide() {
    this.asked++;
    this.rows.clear();
    this.editor.lines(new Set());
    this.editor.point(0);
  }
}

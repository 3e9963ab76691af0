import { byId, h } from "./dom";
import type { Files, Kernel, Param } from "./protocol";

// Limits of dropped files; the compiler checks them again.
const maxFile = 256 << 20;

const integers = /^u?(char|short|int|long)$/;

// Controls are the arguments of the kernel that is chosen.
export class Controls {
  files: Files = {};
  private values: Record<string, string> = {};
  private kernel?: Kernel;

  constructor(private root: HTMLElement, private changed: () => void, private say: (text: string) => void) {}

  // set sets values and files, such as those of a link.
  set(values: Record<string, string>, files: Files) {
    this.values = { ...values };
    this.files = files;
    this.kernel = undefined;
    this.root.replaceChildren();
  }

  // args returns the arguments that have a value, and all texts by name for a link.
  get args(): string[] {
    return (this.kernel?.args ?? []).filter((a) => (this.values[a.name] ?? "") !== "").map((a) => `${a.name}=${this.values[a.name]}`);
  }

  get texts(): Record<string, string> {
    const names = this.kernel?.args.map((a) => a.name) ?? Object.keys(this.values);
    return Object.fromEntries(names.filter((n) => n in this.values).map((n) => [n, this.values[n]]));
  }

  // show makes a control for each argument. If the parameters have not changed it keeps the present controls, so
  // that typing in the source does not move the focus.
  show(kernel: Kernel | undefined) {
    const same = JSON.stringify(kernel?.args) === JSON.stringify(this.kernel?.args);
    this.kernel = kernel;
    if (same && this.root.childElementCount > 0) {
      return;
    }
    this.root.replaceChildren(...(kernel?.args.map((p) => this.control(p)) ?? []));
  }

  private control(p: Param): HTMLElement {
    const value = (this.values[p.name] ??= p.default);
    const id = `arg-${p.name}`;
    const input = h("input", { id, type: "text", value, autocomplete: "off", spellcheck: false, "aria-describedby": `${id}-type` });
    input.setAttribute("inputmode", p.kind === "value" && p.lanes === 1 ? "decimal" : "text");
    const label = h("label", { for: id }, p.name);
    const type = h("span", { id: `${id}-type`, className: "type" }, p.type + (p.writable ? ", written" : ""));
    const row = h("div", { className: "control" }, label, type, input);
    const set = (text: string) => {
      this.values[p.name] = text;
      this.changed();
    };
    input.oninput = () => set(input.value);
    if (p.kind === "struct") {
      input.disabled = true;
      input.value = "structs cannot be given here";
    } else if (p.kind === "value" && p.lanes === 1) {
      row.append(this.slider(p, input, set));
    } else if (p.kind === "buffer" || p.kind === "image") {
      input.setAttribute("list", "data-forms");
      row.append(this.fileButton(p, input, set));
      this.dropped(row, input, set);
    }
    return row;
  }

  // slider moves a number between 0, or minus it, and twice its value.
  private slider(p: Param, input: HTMLInputElement, set: (text: string) => void): HTMLElement {
    const whole = integers.test(p.elem);
    const range = h("input", { type: "range", className: "slider", "aria-label": `${p.name}, slider` });
    const fit = () => {
      const v = Number(input.value);
      range.disabled = !Number.isFinite(v) || input.value.trim() === "";
      if (range.disabled) {
        return;
      }
      const most = v === 0 ? (whole ? 100 : 1) : Math.abs(v) * 2;
      const least = whole ? (v < 0 ? -most : 0) : v < 0 || v === 0 ? -most : 0;
      range.min = String(least);
      range.max = String(most);
      range.step = whole ? "1" : String(most / 200);
      range.value = String(v);
    };
    fit();
    range.oninput = () => {
      input.value = whole ? range.value : String(Number(Number(range.value).toPrecision(6)));
      set(input.value);
    };
    range.onchange = fit;
    input.addEventListener("change", fit);
    return range;
  }

  private fileButton(p: Param, input: HTMLInputElement, set: (text: string) => void): HTMLElement {
    const choose = h("input", { type: "file", hidden: true, accept: ".npy,.png,.jpg,.jpeg,.raw,.bin,*" });
    choose.onchange = () => void this.take(choose.files?.[0], input, set);
    const button = h("button", { type: "button", className: "small", "aria-label": `File for ${p.name}` }, "File…");
    button.onclick = () => choose.click();
    return h("span", { className: "file" }, button, choose);
  }

  private dropped(row: HTMLElement, input: HTMLInputElement, set: (text: string) => void) {
    row.ondragover = (e) => {
      e.preventDefault();
      row.classList.add("drop");
    };
    row.ondragleave = () => row.classList.remove("drop");
    row.ondrop = (e) => {
      e.preventDefault();
      row.classList.remove("drop");
      void this.take(e.dataTransfer?.files[0], input, set);
    };
  }

  private async take(file: File | undefined, input: HTMLInputElement, set: (text: string) => void) {
    if (!file) {
      return;
    }
    if (file.size > maxFile) {
      this.say(`${file.name} has ${file.size} bytes; the limit is ${maxFile >> 20} MiB`);
      return;
    }
    this.files[file.name] = new Uint8Array(await file.arrayBuffer());
    input.value = file.name;
    set(file.name);
    this.say(`${file.name}, ${file.size} bytes, is the argument ${input.id.slice("arg-".length)}`);
  }

  // used returns the files that arguments name.
  get used(): Files {
    return Object.fromEntries(Object.entries(this.files).filter(([name]) => Object.values(this.values).some((v) => v === name || v.endsWith(`:${name}`))));
  }
}

// choose fills a select and keeps its value where that is among the options.
export function choose(id: string, options: string[], wanted?: string) {
  const s = byId<HTMLSelectElement>(id);
  const value = wanted ?? s.value;
  if ([...s.options].map((o) => o.value).join("\n") !== options.join("\n")) {
    s.replaceChildren(...options.map((o) => h("option", { value: o }, o)));
  }
  s.value = options.includes(value) ? value : (options[0] ?? "");
}

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { byId, errorText, h, later } from "./dom";
import { Controls, choose } from "./controls";
import { Editor } from "./editor";
import { examples } from "./examples";
import { Instance, Program, Stopped } from "./instance";
import { Listings } from "./listing";
import { markdown } from "./markdown";
import { Pool } from "./pool";
import type { Completion, Diagnostic, Finding, Hover, Kernel, Source, Token } from "./protocol";
import { Results } from "./results";
import { pack, unpack, type State } from "./state";
import { tabs } from "./tabs";

const program = new Program("purecl.wasm");
const compiler = new Instance(program); // compiles typed text; it never runs the kernel
const pool = new Pool(program);
void compiler.start().catch(() => {}); // the first request has the error

const text = (id: string) => byId<HTMLInputElement>(id).value.trim();
const source = (): Source => ({ text: editor.text, options: text("options") });
const say = (message: string, bad = false) => {
  const s = byId("status");
  s.textContent = message;
  s.classList.toggle("error", bad);
};

let kernels: Kernel[] = [];
let wantedKernel = ""; // of a link, until the source is compiled
let running = false;
let diagnosed = false;

const currentKernel = () => kernels.find((k) => k.name === byId<HTMLSelectElement>("kernel").value);

const editor: Editor = new Editor({
  parent: byId("editor"),
  changed: () => {
    editorChanged();
    saveState();
  },
  run: () => void run(),
  explain: (code) => void explain(code),
  line: (line) => {
    if (!byId("panel-listing").hidden) {
      listings.point(line, true);
    }
  },
  hover: async (at) => (await compiler.call<Hover | null>("hover", { ...source(), at })).value ?? undefined,
  complete: async (at) => (await compiler.call<Completion[]>("complete", { ...source(), at })).value,
});
const results = new Results(pool, (m) => say(m));
const listings = new Listings(editor, () => ({ ...source(), kernel: byId<HTMLSelectElement>("kernel").value }));
const controls = new Controls(byId("arguments"), () => {
  saveState();
  autoRun();
}, (m) => say(m));

const showTab = tabs(byId("output"), (panel) => {
  if (panel === "panel-listing") {
    void listings.show();
  } else {
    listings.hide();
  }
  results.redraw();
});

// Diagnostics appear during typing; a whole compilation waits for a pause.
let checking = 0;
const editorChanged = () => {
  showFindings([]);
  void diagnose();
};

async function diagnose() {
  const asked = ++checking;
  const s = source();
  try {
    const d = (await compiler.call<Diagnostic[]>("diagnose", s)).value;
    if (asked !== checking) {
      return;
    }
    editor.show(s.text, d);
    showProblems(d);
    if (!diagnosed) {
      diagnosed = true;
      performance.mark("purecl-diagnosed");
    }
    if (!d.some((x) => x.severity === "error")) {
      compileLater();
    }
    const tokens = (await compiler.call<Token[]>("tokens", s)).value;
    if (asked === checking) {
      editor.color(s.text, tokens);
    }
  } catch (e) {
    if (asked === checking) {
      byId("problems-summary").textContent = errorText(e);
    }
  }
}

const compileLater = later(150, () => void compile());

async function compile() {
  const s = source();
  try {
    const list = (await compiler.call<Kernel[]>("kernels", s)).value;
    if (s.text !== editor.text) {
      return;
    }
    kernels = list;
    choose("kernel", kernels.map((k) => k.name), wantedKernel || undefined);
    wantedKernel = "";
    kernelChanged();
    if (!byId("panel-listing").hidden) {
      void listings.show();
    }
    autoRun();
  } catch (e) {
    byId("problems-summary").textContent = errorText(e);
  }
}

function kernelChanged() {
  const k = currentKernel();
  controls.show(k);
  byId<HTMLButtonElement>("run").disabled = !k || running;
  byId("alone").textContent = k?.alone ? `Runs on one worker: ${k.alone}.` : "";
}

// showProblems lists the diagnostics below the editor, and says their number.
function showProblems(list: Diagnostic[]) {
  const count = (severity: string) => list.filter((x) => x.severity === severity).length;
  const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const [errors, warnings] = [count("error"), count("warning")];
  byId("problems-summary").textContent = errors + warnings === 0 ? "No problems" : [errors ? plural(errors, "error") : "", warnings ? plural(warnings, "warning") : ""].filter(Boolean).join(", ");
  byId("problems").replaceChildren(...list.map((x) => problem(x.severity, editor.lineAt(x.from), x.message, x.code, () => editor.select(x))));
}

function problem(severity: string, line: number, message: string, code: string, go: () => void): HTMLElement {
  const place = h("button", { type: "button", className: "link" }, line > 0 ? `line ${line}` : "place");
  place.onclick = go;
  const why = h("button", { type: "button", className: "link", "aria-label": `Explain ${code}` }, `[${code}]`);
  why.onclick = () => void explain(code);
  return h("li", { className: severity }, h("strong", {}, severity), " ", place, ": ", message, " ", code ? why : "");
}

function showFindings(list: Finding[]) {
  editor.findings(list);
  byId("findings").replaceChildren(...list.map((f) => {
    const item = problem(f.severity, f.line, `${f.message}, by work-item (${f.item.join(", ")})${f.count > 1 ? `, the first of ${f.count} times` : ""}`, f.code, () => {
      editor.select(f);
      results.mark(f);
      showTab("panel-result");
    });
    item.append(...(f.related ?? []).map((r) => h("div", { className: "related" }, `line ${editor.lineAt(r.from)}: ${r.message}`)));
    return item;
  }));
}

async function run() {
  const k = currentKernel();
  if (running || !k) {
    say(k ? "a kernel runs already" : "there is no kernel to run: the source has errors or no kernels", true);
    return;
  }
  running = true;
  byId<HTMLButtonElement>("run").disabled = true;
  byId<HTMLButtonElement>("stop").disabled = false;
  const bar = byId<HTMLProgressElement>("progress");
  bar.hidden = false;
  bar.value = 0;
  say(`${k.name} runs…`);
  const start = performance.now();
  const tick = window.setInterval(() => say(`${k.name} runs… ${((performance.now() - start) / 1000).toFixed(1)} s`), 1000);
  try {
    const launch = { ...source(), kernel: k.name, args: controls.args, global: text("global"), local: text("local"), offset: text("offset"), checks: byId<HTMLSelectElement>("checks").value, robust: byId<HTMLInputElement>("robust").checked, parts: false };
    const workers = Number(byId<HTMLSelectElement>("workers").value) || defaultWorkers();
    const out = await pool.run(launch, controls.used, workers, (share) => (bar.value = share));
    window.clearInterval(tick);
    const kinds = out.findings.length;
    const end = out.failed ? "failed" : "ran";
    say(`${k.name} ${end}: ${out.prepared.items} work-items in ${out.millis.toFixed(1)} ms on ${out.workers} ${out.workers === 1 ? "worker" : "workers"}` + (kinds > 0 ? `, ${kinds} ${kinds === 1 ? "finding" : "findings"}` : ""), out.failed);
    byId("alone").textContent = out.prepared.alone ? `Ran on one worker: ${out.prepared.alone}.` : "";
    showFindings(out.findings);
    byId("printed").textContent = out.printed;
    byId("printed-part").hidden = out.printed === "";
    await results.after(k, out.prepared.global, out.findings);
  } catch (e) {
    if (e instanceof Stopped) {
      say(`${k.name} was stopped after ${((performance.now() - start) / 1000).toFixed(1)} s`);
    } else {
      say(errorText(e), true);
    }
  } finally {
    window.clearInterval(tick);
    running = false;
    bar.hidden = true;
    byId<HTMLButtonElement>("stop").disabled = true;
    byId<HTMLButtonElement>("run").disabled = !currentKernel();
  }
}

const defaultWorkers = () => Math.min(8, Math.max(1, navigator.hardwareConcurrency || 1));

const autoRun = later(250, () => {
  if (byId<HTMLInputElement>("auto").checked && !running && currentKernel()) {
    void run();
  }
});

async function explain(code: string) {
  byId<HTMLInputElement>("explain-code").value = code;
  showTab("panel-explain");
  const to = byId("explained");
  try {
    to.replaceChildren(markdown((await compiler.call<string>("explain", { code })).value));
  } catch (e) {
    to.replaceChildren(h("p", { className: "error" }, errorText(e)));
  }
}

// Expressions have a worker of their own, which the stop button of the cell ends.
const evaluator = new Instance(program);

async function evaluate() {
  const expr = text("eval-expression");
  const entry = h("li", {}, h("code", {}, expr));
  byId("eval-log").prepend(entry);
  byId<HTMLButtonElement>("eval-stop").disabled = false;
  try {
    const { value } = await evaluator.call<string>("eval", { ...source(), use: byId<HTMLInputElement>("eval-use").checked, expr });
    entry.append(h("pre", {}, value.trimEnd()));
  } catch (e) {
    entry.append(h("pre", { className: "error" }, errorText(e).trimEnd()));
  } finally {
    byId<HTMLButtonElement>("eval-stop").disabled = true;
  }
}

const state = (): State => ({
  text: editor.text, options: text("options"), kernel: byId<HTMLSelectElement>("kernel").value || wantedKernel, args: controls.texts, global: text("global"), local: text("local"), offset: text("offset"),
  checks: byId<HTMLSelectElement>("checks").value, robust: byId<HTMLInputElement>("robust").checked, files: controls.files,
});

// maxLink is the greatest length of a link in the address bar: browsers and chat programs cut longer ones.
const maxLink = 100_000;
let written = ""; // the fragment that the page has written itself

const saveState = later(400, () => void writeState());

async function writeState(): Promise<{ left: string[]; long: boolean }> {
  const { fragment, left } = await pack(state());
  const long = fragment.length > maxLink;
  if (!long && fragment !== location.hash) {
    written = fragment;
    history.replaceState(null, "", fragment);
  }
  return { left, long };
}

async function share() {
  const { left, long } = await writeState();
  if (long) {
    say(`the source is too long for a link: it would have more than ${maxLink} characters`, true);
    return;
  }
  const without = left.length > 0 ? `; it is without ${left.join(", ")}: files beyond 64 KiB are not in links` : "";
  const link = byId<HTMLInputElement>("link");
  link.value = location.href;
  byId("link-part").hidden = false;
  try {
    await navigator.clipboard.writeText(location.href);
    say(`the link is copied${without}`);
  } catch {
    link.select();
    say(`copy the link from its field${without}`);
  }
}

function load(s: State) {
  for (const [id, v] of Object.entries({ options: s.options, global: s.global, local: s.local, offset: s.offset })) {
    byId<HTMLInputElement>(id).value = v;
  }
  byId<HTMLSelectElement>("checks").value = ["none", "memory", "all", "pedantic"].includes(s.checks) ? s.checks : "all";
  byId<HTMLInputElement>("robust").checked = s.robust;
  wantedKernel = s.kernel;
  kernels = [];
  choose("kernel", []);
  controls.set(s.args, s.files);
  results.clear();
  editor.text = s.text;
}

async function open(first: boolean) {
  try {
    const s = await unpack(location.hash);
    if (s || first) {
      load(s ?? examples[0].state());
    }
  } catch (e) {
    if (first) {
      load(examples[0].state());
    }
    say(`the link is damaged: ${errorText(e)}`, true);
  }
}

function theme() {
  const button = byId("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
  const show = () => {
    button.textContent = now() === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${now() === "dark" ? "light" : "dark"} colours`);
    results.redraw();
  };
  try {
    const kept = localStorage.getItem("purecl-theme");
    if (kept === "dark" || kept === "light") {
      document.documentElement.dataset.theme = kept;
    }
  } catch { /* no storage: the system's choice holds */ }
  dark.onchange = show;
  button.onclick = () => {
    const to = now() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = to;
    try {
      localStorage.setItem("purecl-theme", to);
    } catch { /* it holds until the page is closed */ }
    show();
  };
  show();
}

function connect() {
  const select = byId<HTMLSelectElement>("examples");
  select.append(...examples.map((e, i) => h("option", { value: String(i) }, e.name)));
  select.onchange = () => {
    if (select.value !== "") {
      load(examples[Number(select.value)].state());
      select.value = "";
    }
  };
  byId("workers").append(...[1, 2, 4, 8].map((n) => h("option", { value: String(n) }, String(n))));
  byId("run").onclick = () => void run();
  byId("stop").onclick = () => pool.stop();
  byId("share").onclick = () => void share();
  byId("kernel").onchange = () => {
    kernelChanged();
    saveState();
  };
  byId("options").oninput = () => {
    void diagnose();
    saveState();
  };
  for (const id of ["global", "local", "offset", "checks", "robust"]) {
    byId(id).addEventListener("input", () => {
      saveState();
      autoRun();
    });
  }
  byId("auto").onchange = autoRun;
  byId<HTMLFormElement>("eval-form").onsubmit = (e) => {
    e.preventDefault();
    void evaluate();
  };
  byId("eval-stop").onclick = () => evaluator.stop();
  byId<HTMLFormElement>("explain-form").onsubmit = (e) => {
    e.preventDefault();
    void explain(text("explain-code"));
  };
  window.addEventListener("hashchange", () => {
    if (location.hash !== written) {
      void open(false);
    }
  });
  window.addEventListener("keydown", (e) => {
    if ((e.ctrlKey || e.metaKey) && e.key === "Enter" && !e.defaultPrevented) {
      e.preventDefault();
      void run();
    }
  });
}

theme();
connect();
results.clear();
void open(true).then(() => compiler.start()).then(
  () => setTimeout(() => void pool.warm(Math.min(2, defaultWorkers()), source()), 1500),
  (e) => say(errorText(e), true),
);

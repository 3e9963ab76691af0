import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { clike } from "@codemirror/legacy-modes/mode/clike";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as LintDiagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers, type DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { h } from "./dom";
import { markdown } from "./markdown";
import type { Completion, Diagnostic, Finding, Hover, Token } from "./protocol";

const words = (s: string) => Object.fromEntries(s.split(" ").map((w) => [w, true]));
const scalars = "char uchar short ushort int uint long ulong half float double";
const types = "void bool size_t ptrdiff_t intptr_t uintptr_t sampler_t event_t " +
  [scalars, ...[2, 3, 4, 8, 16].map((n) => scalars.split(" ").map((t) => t + n).join(" "))].join(" ") +
  " image1d_t image2d_t image3d_t image1d_array_t image2d_array_t image1d_buffer_t image2d_depth_t unsigned signed atomic_int atomic_uint";

// The mode colours typed text at once; the compiler's tokens follow.
const openclMode = StreamLanguage.define(clike({
  name: "opencl",
  keywords: words("kernel __kernel global __global local __local constant __constant private __private read_only write_only read_write const volatile restrict static inline struct union enum typedef if else for while do switch case default break continue return goto sizeof attribute __attribute__"),
  types: words(types),
  blockKeywords: words("case do else for if switch while struct enum union"),
  defKeywords: words("struct enum union"),
  atoms: words("NULL true false M_PI M_PI_F M_E INFINITY NAN CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE"),
  typeFirstDefinitions: true,
  hooks: {
    "#": (stream: { skipToEnd(): void; column(): number }) => {
      stream.skipToEnd();
      return "meta";
    },
  },
} as Parameters<typeof clike>[0]));

const highlight = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: [tags.typeName, tags.standard(tags.typeName)], class: "tok-type" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: [tags.string, tags.character], class: "tok-string" },
  { tag: [tags.number, tags.atom], class: "tok-number" },
  { tag: tags.meta, class: "tok-macro" },
]);

const setTokens = StateEffect.define<Token[]>();
const setFindings = StateEffect.define<Finding[]>();
const setLines = StateEffect.define<Set<number>>(); // lines that have code in a listing
const setCurrent = StateEffect.define<number>(); // the line under the pointer in a listing; 0: none

// decorations is a field of decorations that an effect sets and edits move.
function decorations<T>(effect: typeof setTokens | typeof setFindings | typeof setLines | typeof setCurrent, make: (v: T, state: EditorState) => DecorationSet) {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(set, tr) {
      set = set.map(tr.changes);
      for (const e of tr.effects) {
        if ((e.is as (x: unknown) => boolean)(effect)) {
          set = make(e.value as T, tr.state);
        }
      }
      return set;
    },
    provide: (f) => EditorView.decorations.from(f),
  });
}

const within = (state: EditorState, p: { from: number; to: number }) => p.from < p.to && p.to <= state.doc.length;

const tokenField = decorations<Token[]>(setTokens, (list, state) =>
  Decoration.set(list.filter((t) => within(state, t)).map((t) => Decoration.mark({ class: `tok-${t.kind}` }).range(t.from, t.to)), true));

const findingField = decorations<Finding[]>(setFindings, (list, state) =>
  Decoration.set(list.filter((f) => within(state, f)).map((f) => Decoration.mark({ class: `finding finding-${f.severity}`, attributes: { title: `${f.message} [${f.code}]` } }).range(f.from, f.to)), true));

export const hue = (line: number) => `hue-${(line * 5) % 12}`;

const lineField = decorations<Set<number>>(setLines, (lines, state) =>
  Decoration.set([...lines].filter((n) => n <= state.doc.lines).sort((a, b) => a - b).map((n) => Decoration.line({ class: hue(n) }).range(state.doc.line(n).from))));

const currentField = decorations<number>(setCurrent, (n, state) =>
  n > 0 && n <= state.doc.lines ? Decoration.set([Decoration.line({ class: "linked" }).range(state.doc.line(n).from)]) : Decoration.none);

export interface EditorOptions {
  parent: HTMLElement;
  changed: () => void;
  run: () => void;
  explain: (code: string) => void;
  line: (line: number) => void; // called with the line under the pointer
  hover: (at: number) => Promise<Hover | undefined>;
  complete: (at: number) => Promise<Completion[]>;
}

// Editor is the source with its diagnostics.
export class Editor {
  readonly view: EditorView;

  constructor(private o: EditorOptions) {
    this.view = new EditorView({ parent: o.parent, state: EditorState.create({ extensions: this.extensions() }) });
  }

  private extensions(): Extension {
    return [
      lineNumbers(), highlightActiveLine(), history(), drawSelection(), bracketMatching(), closeBrackets(), indentOnInput(), indentUnit.of("    "), highlightSelectionMatches(), lintGutter(),
      openclMode, syntaxHighlighting(highlight), tokenField, findingField, lineField, currentField,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "OpenCL C source", "aria-describedby": "source-help", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
      keymap.of([
        { key: "Mod-Enter", run: () => (this.o.run(), true) },
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap,
      ]),
      autocompletion({ override: [(c) => this.completions(c)], maxRenderedOptions: 200 }),
      hoverTooltip(async (_, at) => {
        const found = await this.o.hover(at);
        return found ? { pos: found.from, end: found.to, above: true, create: () => ({ dom: markdown(found.text) }) } : null;
      }),
      EditorView.updateListener.of((u) => {
        if (u.docChanged) {
          this.o.changed();
        }
      }),
      EditorView.domEventHandlers({
        mousemove: (e, view) => {
          const at = view.posAtCoords({ x: e.clientX, y: e.clientY });
          this.o.line(at === null ? 0 : view.state.doc.lineAt(at).number);
        },
        mouseleave: () => this.o.line(0),
      }),
    ];
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions() }));
    this.o.changed();
  }

  private async completions(c: CompletionContext): Promise<CompletionResult | null> {
    if (!c.explicit && !c.matchBefore(/[\w.>]$/)) {
      return null;
    }
    const list = await this.o.complete(c.pos);
    if (list.length === 0 || c.aborted) {
      return null;
    }
    return {
      from: list[0].from,
      validFor: /^\w*$/,
      options: list.map((x) => ({
        label: x.label,
        type: x.kind,
        detail: x.detail,
        boost: Math.max(-99, -x.order),
        apply: (view: EditorView, completion, from: number, to: number) => {
          if (x.before) {
            view.dispatch({ changes: { from: x.before.from, to: x.before.to, insert: x.before.text } });
            const grown = x.before.text.length - (x.before.to - x.before.from);
            from += grown;
            to += grown;
          }
          if (x.call) {
            snippet(`${x.text}(\${})`)(view, completion, from, to);
          } else {
            view.dispatch({ changes: { from, to, insert: x.text }, selection: { anchor: from + x.text.length }, userEvent: "input.complete" });
          }
        },
      })),
    };
  }

  // show shows the compiler's results for the text, unless the text has changed.
  show(text: string, list: Diagnostic[]) {
    if (text === this.text) {
      this.view.dispatch(setDiagnostics(this.view.state, list.map((x) => this.lint(x))));
    }
  }

  color(text: string, list: Token[]) {
    if (text === this.text) {
      this.view.dispatch({ effects: setTokens.of(list) });
    }
  }

  private lint(d: Diagnostic): LintDiagnostic {
    const n = this.view.state.doc.length;
    const actions = [];
    if (d.fix) {
      const fix = d.fix;
      actions.push({ name: fix.text === "" ? "Remove" : `Write ${fix.text}`, apply: (view: EditorView) => view.dispatch({ changes: { from: fix.from, to: fix.to, insert: fix.text } }) });
    }
    if (d.code) {
      actions.push({ name: "Explain", apply: () => this.o.explain(d.code) });
    }
    return {
      from: Math.min(d.from, n), to: Math.min(Math.max(d.to, d.from), n), severity: d.severity, source: d.code, message: d.message, actions,
      renderMessage: () => h("div", {}, h("div", {}, d.message), ...(d.related ?? []).map((r) => h("div", { className: "related" }, `line ${this.lineAt(r.from)}: ${r.message}`))),
    };
  }

  lineAt(at: number): number {
    const doc = this.view.state.doc;
    return doc.lineAt(Math.min(at, doc.length)).number;
  }

  findings(list: Finding[]) {
    this.view.dispatch({ effects: setFindings.of(list) });
  }

  lines(list: Set<number>) {
    this.view.dispatch({ effects: setLines.of(list) });
  }

  point(line: number) {
    this.view.dispatch({ effects: setCurrent.of(line) });
  }

  select(p: { from: number; to: number }) {
    const n = this.view.state.doc.length;
    this.view.dispatch({ selection: { anchor: Math.min(p.from, n), head: Math.min(p.to, n) }, effects: EditorView.scrollIntoView(Math.min(p.from, n), { y: "center" }) });
    this.view.focus();
  }
}

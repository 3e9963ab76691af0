// The messages between the page and its workers: the types of package internal/playground.

export interface Source { text: string; options: string }
export interface Place { from: number; to: number }
export interface Edit extends Place { text: string }
export interface Related extends Place { message: string }

export interface Diagnostic extends Place {
  severity: "error" | "warning" | "info";
  code: string;
  message: string;
  related?: Related[];
  fix?: Edit;
}
export interface Token extends Place { kind: string }
export interface Hover extends Place { text: string }
export interface Completion extends Edit {
  label: string;
  kind: string;
  detail?: string;
  order: number;
  before?: Edit;
  call?: boolean;
}

export interface Param {
  name: string;
  type: string;
  kind: "value" | "buffer" | "local" | "image" | "sampler" | "struct";
  elem: string;
  lanes: number;
  writable: boolean;
  default: string;
}
export interface Kernel { name: string; args: Param[]; alone?: string }

export interface Launch extends Source {
  kernel: string;
  args: string[];
  global: string;
  local: string;
  offset: string;
  checks: string;
  robust: boolean;
  parts: boolean;
}
export interface Prepared { global: number[]; local: number[]; items: number; groups: number; alone?: string }
export interface Finding extends Place {
  line: number;
  severity: "error" | "warning";
  code: string;
  message: string;
  item: [number, number, number];
  group: [number, number, number];
  local: [number, number, number];
  object?: string;
  offset: number;
  count: number;
  related?: Related[];
}
export interface Ran { findings: Finding[]; printed: string; millis: number; failed: boolean }
export interface View {
  name: string;
  type: string;
  as: string;
  can: string[];
  elements: number;
  shape: number[];
  width?: number;
  height?: number;
  low: number;
  high: number;
  rows?: { index: number; cells: string[] }[];
  x?: number[];
  lines?: number[][];
}

export interface ListingLine { text: string; source: number; cold?: boolean }
export interface Listing { summary: string; lines: ListingLine[] }

export type Files = Record<string, Uint8Array>;

// What the page sends to a worker, and what comes back.
export interface Request { id: number; method: string; params: string; files?: Files }
export type Message =
  | { kind: "ready" }
  | { kind: "reply"; id: number; value?: string; bytes?: Uint8Array[]; error?: string }
  | { kind: "progress"; done: number; total: number }
  | { kind: "dead"; reason: string };

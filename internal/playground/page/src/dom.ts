// h makes an element with properties, attributes (aria-…, data-…, for, role) and children.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Record<string, unknown> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props)) {
    if (k.includes("-") || k === "for" || k === "role" || k === "list") {
      e.setAttribute(k, String(v));
    } else {
      (e as unknown as Record<string, unknown>)[k] = v;
    }
  }
  e.append(...children);
  return e;
}

export function byId<T extends HTMLElement>(id: string): T {
  const e = document.getElementById(id);
  if (!e) {
    throw new Error(`the page has no element ${id}`);
  }
  return e as T;
}

// later calls f once it has not been called again for the given number of milliseconds.
export function later(ms: number, f: () => void): () => void {
  let timer = 0;
  return () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(f, ms);
  };
}

export const errorText = (e: unknown) => (e instanceof Error ? e.message : String(e));

import { byId } from "./dom";

// tabs makes a tab list of the elements with role tab: arrows move, as the ARIA practices say.
export function tabs(root: HTMLElement, shown: (panel: string) => void): (id: string) => void {
  const list = [...root.querySelectorAll<HTMLElement>('[role="tab"]')];
  const show = (tab: HTMLElement, focus: boolean) => {
    for (const t of list) {
      const on = t === tab;
      t.setAttribute("aria-selected", String(on));
      t.tabIndex = on ? 0 : -1;
      byId(t.getAttribute("aria-controls")!).hidden = !on;
    }
    if (focus) {
      tab.focus();
    }
    shown(tab.getAttribute("aria-controls")!);
  };
  list.forEach((t, i) => {
    t.onclick = () => show(t, false);
    t.onkeydown = (e) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1 + list.length, Home: 0, End: list.length - 1 }[e.key];
      if (to !== undefined) {
        e.preventDefault();
        show(list[to % list.length], true);
      }
    };
  });
  return (id) => show(list.find((t) => t.getAttribute("aria-controls") === id)!, false);
}

import { h } from "./dom";

// markdown shows the Markdown that hovers and explanations have: fenced code, lists, paragraphs, `code` and **bold**.
// Everything becomes text of elements: nothing of a shared source is read as HTML.
export function markdown(text: string): HTMLElement {
  const root = h("div", { className: "markdown" });
  const lines = text.split("\n");
  let paragraph: string[] = [];
  let list: HTMLElement | undefined;
  const flush = () => {
    if (paragraph.length > 0) {
      root.append(inline(h("p"), paragraph.join(" ")));
      paragraph = [];
    }
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (line.startsWith("```")) {
      flush();
      list = undefined;
      const code: string[] = [];
      for (i++; i < lines.length && !lines[i].startsWith("```"); i++) {
        code.push(lines[i]);
      }
      root.append(h("pre", {}, h("code", {}, code.join("\n"))));
      continue;
    }
    const item = /^\s*[-*] (.*)/.exec(line);
    if (item) {
      flush();
      if (!list) {
        list = h("ul");
        root.append(list);
      }
      list.append(inline(h("li"), item[1]));
    } else if (line.trim() === "") {
      flush();
      list = undefined;
    } else {
      paragraph.push(line.trim());
    }
  }
  flush();
  return root;
}

function inline<T extends HTMLElement>(to: T, text: string): T {
  for (const part of text.split(/(`[^`]+`|\*\*[^*]+\*\*)/)) {
    if (part.startsWith("`") && part.length > 1) {
      to.append(h("code", {}, part.slice(1, -1)));
    } else if (part.startsWith("**") && part.length > 4) {
      to.append(h("strong", {}, part.slice(2, -2)));
    } else {
      to.append(part);
    }
  }
  return to;
}

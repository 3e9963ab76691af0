// Writes out/THIRD_PARTY.txt: the licences of the packages whose code is in the bundle.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const texts = Object.entries(lock.packages)
  .filter(([folder, p]) => folder !== "" && !p.dev)
  .map(([folder, p]) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    if (!file) {
      throw new Error(`${folder} has no licence`);
    }
    return `${folder.replace(/^.*node_modules\//, "")} ${p.version}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
  });
mkdirSync("out", { recursive: true });
writeFileSync("out/THIRD_PARTY.txt", texts.join(`\n${"-".repeat(80)}\n\n`));

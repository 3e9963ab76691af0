// Bundles the page into the folder of the first argument, which has the WebAssembly files already; the second is Go's
// wasm_exec.js. Two runs give the same bytes.
import { build } from "esbuild";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync, constants } from "node:zlib";

const [, , out, wasmExec] = process.argv;
const common = {
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  loader: { ".cl": "text", ".png": "base64" },
  logLevel: "warning",
};
await build({ ...common, entryPoints: { page: "src/main.ts" }, outdir: out, format: "esm", target: "es2022" });
await build({ ...common, entryPoints: { worker: "src/worker.ts" }, outdir: out, format: "iife", target: "es2022", alias: { "wasm_exec": wasmExec } });
for (const name of ["index.html", "icon.svg"]) {
  copyFileSync(`src/${name}`, `${out}/${name}`);
}

// The licences of the packages whose code is in the bundle.
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const texts = Object.entries(lock.packages)
  .filter(([folder, p]) => folder !== "" && !p.dev && !p.optional)
  .map(([folder, p]) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    if (!file) {
      throw new Error(`${folder} has no licence`);
    }
    return `${folder.replace(/^.*node_modules\//, "")} ${p.version}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
  });
const go = readFileSync(wasmExec, "utf8").split("\n").slice(0, 3).join("\n");
writeFileSync(`${out}/licences.txt`, [`Go's WebAssembly runtime\n\n${go}\n`, ...texts].join(`\n${"-".repeat(80)}\n\n`));

// Every file also compressed, for servers that send it so.
for (const name of readdirSync(out)) {
  if (!name.endsWith(".gz")) {
    const packed = gzipSync(readFileSync(`${out}/${name}`), { level: constants.Z_BEST_COMPRESSION });
    packed[9] = 255; // the system that packed it: unknown
    writeFileSync(`${out}/${name}.gz`, packed);
  }
}

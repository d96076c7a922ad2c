import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { schemas } from "./schemas.plugin.ts";

const root = import.meta.dirname;

// Writes the licenses of all bundled packages beside the bundle.
const licenses: Plugin = {
  name: "licenses",
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
    const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replace(/^\0/, ""))?.[0] ?? []);
    const texts = [...new Set(folders)].toSorted().map(readLicense);
    this.emitFile({ type: "asset", fileName: "licenses.txt", source: texts.join("\n\n") });
  },
};

function readLicense(folder: string): string {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^(?:un)?licen[cs]e/i.test(entry));
  // Some packages only name their license.
  const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version}\n\n${text}\n`;
}

/** The Vite configuration of the browser console. `scripts/build-console.ts` builds it into `dist/console`. */
const config: UserConfig = defineConfig({
  root,
  // Relative URLs let the host mount the console at any path; its files are siblings.
  base: "./",
  publicDir: false,
  logLevel: "warn",
  resolve: {
    alias: [
      { find: /^latchkey$/, replacement: join(root, "../src/index.ts") },
      { find: /^latchkey\/(.+)$/, replacement: join(root, "../adapters/$1/index.ts") },
    ],
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: join(root, "../dist/console"),
    emptyOutDir: true,
    target: "es2022",
    // A page with a Content-Security-Policy rejects `data:` scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [schemas, licenses],
});

export default config;

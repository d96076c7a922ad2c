import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Options } from "tsup";

type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];

// The part of kysely that writes our SQL; docs/architecture.md says why. Everything else is resolved from node_modules.
const bundled = ["kysely"];

// What is bundled keeps its licence beside it.
function licenseOf(name: string): string {
  const folder = `node_modules/${name}`;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file.`);
  return `${name}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
}

// The comments and local names of what is bundled would be half of what every start reads.
const withoutComments: EsbuildPlugin = {
  name: "without-comments",
  setup: ({ onLoad, esbuild }) =>
    onLoad({ filter: /node_modules.*\.(js|cjs|mjs)$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(readFileSync(path, "utf8"), { minify: true });
      return { contents: code };
    }),
};

const coreFile = resolve("src/index.ts");

/** What the core loads on first use. */
function findOnDemand(): Set<string> {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const importsOf = (file: string): string[] =>
    [...readFileSync(`src/${file}`, "utf8").matchAll(/(?<!typeof )import\("(\..*?)\.js"\)/g)].map(([, to]) =>
      resolve("src", dirname(file), `${to}.ts`),
    );
  return new Set(files.flatMap(importsOf));
}

// Whatever is loaded on demand imports the core, which is there by then: else the core would be cut into as many files as there are
// combinations of what shares something with it, and a start would open all of them.
const oneCore: EsbuildPlugin = {
  name: "one-core",
  setup: ({ onLoad, onResolve }) => {
    const onDemand = findOnDemand();
    onResolve({ filter: /^whole-core$/ }, () => ({ path: coreFile, sideEffects: true }));
    onLoad({ filter: /src.*\.ts$/ }, ({ path }) =>
      onDemand.has(path) ? { contents: `${readFileSync(path, "utf8")}\nimport "whole-core";\n`, loader: "ts" } : undefined,
    );
  },
};

// Engines read a JSON text faster than an object of the language, and without blanks it is half as long.
const jsonAsText: EsbuildPlugin = {
  name: "json-as-text",
  setup: ({ onLoad }) =>
    onLoad({ filter: /openapi\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, "utf8")));
      return { contents: `export default JSON.parse(${JSON.stringify(text)});`, loader: "js" };
    }),
};

// One bundled entry per export subpath; the adapters import the package root by its name, so the core exists once at run time.
const config = (given: Options): Options => ({
  entry: {
    index: "src/index.ts",
    memory: "adapters/memory/index.ts",
    sqlite: "adapters/sqlite/index.ts",
    // Started as it is, by path, like the guests below.
    "sqlite-writer": "adapters/sqlite/writer.ts",
    postgres: "adapters/postgres/index.ts",
    node: "adapters/node/index.ts",
    express: "adapters/express/index.ts",
    fastify: "adapters/fastify/index.ts",
    koa: "adapters/koa/index.ts",
    fetch: "adapters/fetch/index.ts",
    client: "adapters/client/index.ts",
    testing: "adapters/testing/index.ts",
    "lambda-types": "adapters/lambda-types/index.ts",
    "lambda-globals": "adapters/lambda-globals/index.ts",
    "isolated-vm": "adapters/isolated-vm/index.ts",
    // The guests are started as they are, by path.
    "isolated-vm-guest": "adapters/isolated-vm/guest.ts",
    "node-vm": "adapters/node-vm/index.ts",
    "node-vm-guest": "adapters/node-vm/guest.ts",
    nats: "adapters/nats/index.ts",
    kafka: "adapters/kafka/index.ts",
    nodemailer: "adapters/nodemailer/index.ts",
    opentelemetry: "adapters/opentelemetry/index.ts",
    cli: "adapters/cli/index.ts",
    contract: "test/contract/index.ts",
  },
  format: "esm",
  target: "node22",
  // What is loaded on first use has a file of its own.
  splitting: true,
  sourcemap: true,
  dts: false,
  external: [/^latchkey/, "vitest"],
  noExternal: [...bundled],
  treeshake: true,
  // The sources are shipped beside their maps.
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  esbuildPlugins: [withoutComments, jsonAsText, oneCore],
  onSuccess: async () => writeFileSync(`${given.outDir ?? "dist"}/licenses.txt`, bundled.map(licenseOf).join("\n\n")),
});

export default config;

import type { Options } from "tsup";

// One bundled entry per export subpath; the adapters import the package root by its name, so the core exists once at run time.
const config: Options = {
  entry: {
    index: "src/index.ts",
    memory: "adapters/memory/index.ts",
    sqlite: "adapters/sqlite/index.ts",
    node: "adapters/node/index.ts",
    express: "adapters/express/index.ts",
    fastify: "adapters/fastify/index.ts",
    koa: "adapters/koa/index.ts",
    fetch: "adapters/fetch/index.ts",
    contract: "test/contract/index.ts",
  },
  format: "esm",
  target: "node22",
  splitting: false,
  sourcemap: true,
  clean: true,
  dts: false,
  external: [/^latchkey/, "vitest"],
  // Small pure packages are bundled: a start then opens a few files instead of hundreds.
  noExternal: ["zod", "fast-json-patch", "ipaddr.js", "kysely"],
  treeshake: true,
};

export default config;

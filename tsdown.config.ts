/** `npm run build` with tsdown: one entry per export subpath. docs/architecture.md#the-build has what was measured. */
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { transform } from "esbuild";
import { defineConfig, type UserConfig } from "tsdown";

// Node prints the whole line that an error was thrown from: the minifier writes a file as one line of up to 300 KB.
const shortLines = {
  name: "short-lines",
  async generateBundle(_options: unknown, bundle: Readonly<Record<string, { code?: string }>>): Promise<void> {
    for (const [file, chunk] of Object.entries(bundle)) {
      if (file.endsWith(".d.ts") && chunk.code !== undefined) chunk.code = chunk.code.replace(/^[ \t]+/gm, "");
      if (file.endsWith(".js") && chunk.code !== undefined)
        chunk.code = (
          await transform(chunk.code, {
            minifySyntax: true,
            minifyWhitespace: true,
            lineLimit: 500,
            charset: "utf8",
            target: "node22.12",
          })
        ).code;
    }
  },
};

// Texts of 40 and 80 KB: they are packed, and unpacked with their first use.
const packedTexts = {
  name: "packed-texts",
  load(id: string): { code: string; moduleType: "js" } | undefined {
    if (!/(?:common-passwords|known-members)\.json$/.test(id)) return undefined;
    const packed = brotliCompressSync(JSON.stringify(JSON.parse(readFileSync(id, "utf8")))).toString("base64");
    const unpack = `JSON.parse(brotliDecompressSync(Buffer.from("${packed}", "base64")).toString())`;
    return { code: `import { brotliDecompressSync } from "node:zlib";\nexport default ${unpack};`, moduleType: "js" };
  },
};

const config: UserConfig = defineConfig({
  entry: {
    index: "src/index.ts",
    types: "adapters/types/index.ts",
    ports: "adapters/ports/index.ts",
    memory: "adapters/memory/index.ts",
    sqlite: "adapters/sqlite/index.ts",
    // Started as it is, by path, like the guests below.
    "sqlite-thread": "adapters/sqlite/thread-program.ts",
    "hash-thread": "src/security/password-hashes/hash-thread.ts",
    postgres: "adapters/postgres/index.ts",
    node: "adapters/node/index.ts",
    express: "adapters/express/index.ts",
    fastify: "adapters/fastify/index.ts",
    koa: "adapters/koa/index.ts",
    fetch: "adapters/fetch/index.ts",
    console: "adapters/console/index.ts",
    oidc: "adapters/oidc/index.ts",
    scim: "adapters/scim/index.ts",
    passkeys: "adapters/passkeys/index.ts",
    saml: "adapters/saml/index.ts",
    ldap: "adapters/ldap/index.ts",
    client: "adapters/client/index.ts",
    testing: "adapters/testing/index.ts",
    lambdas: "adapters/lambdas/index.ts",
    runners: "adapters/runners/index.ts",
    // The guests are started as they are, by path.
    "isolated-vm-guest": "adapters/runners/isolated-vm/guest.ts",
    "quickjs-guest": "adapters/runners/quickjs/guest.ts",
    "node-vm-guest": "adapters/runners/node-vm/guest.ts",
    brokers: "adapters/brokers/index.ts",
    nodemailer: "adapters/nodemailer/index.ts",
    opentelemetry: "adapters/opentelemetry/index.ts",
    cli: "adapters/cli/index.ts",
    contract: "test/contract/index.ts",
  },
  target: "node22",
  plugins: [packedTexts, shortLines],
  fixedExtension: false,
  hash: false,
  // Half of the bytes. Functions and classes keep their names, so that a stack trace can be read.
  minify: { mangle: { keepNames: true }, compress: false, codegen: true },
  // The console has a build of its own.
  clean: ["dist/*", "!dist/console"],
  logLevel: "warn",
  // Some rules are loaded on first use by one module and at once by another: that is meant.
  checks: { ineffectiveDynamicImport: false },
  // Adapters import the package root by its name, so the core exists once at run time. Kysely's part that writes our SQL is inlined.
  // Vitest is no peer: test/package/contents.ts has the reason.
  deps: {
    neverBundle: [/^latchkey/, "vitest"],
    alwaysBundle: /^kysely/,
    onlyBundle: ["kysely"],
    dts: { neverBundle: /^kysely/ },
  },
  copy: [
    { from: "node_modules/kysely/LICENSE", rename: "kysely.license.txt" },
    // What the compiler is told about the bodies of lambdas.
    ...["tsconfig.json", "globals"].map((name) => ({ from: `adapters/lambdas/${name}`, to: "dist/lambdas" })),
  ],
  dts: {
    entry: ["src/index.ts", "adapters/*/index.ts", "test/contract/index.ts", "!adapters/cli/index.ts"],
    oxc: { stripInternal: true },
  },
  outputOptions: {
    comments: { jsdoc: false },
    chunkFileNames: nameChunk,
    // A start opens one file for the core; what is loaded on first use has files of its own.
    codeSplitting: { groups: [{ name: "core", test: /\/src\/(?!.*hash-thread).*(?<!\.d)\.ts$/, tags: ["$initial"] }] },
  },
});

/** Names a chunk by its family or adapter, for whoever reads a stack trace: `src/people/families.ts` is `people-families.js`. */
function nameChunk({ name, moduleIds }: { readonly name: string; readonly moduleIds: readonly string[] }): string {
  if (name === "core") return "core.js";
  if (name.endsWith(".d")) return "types-[name].js";
  const [, room] = /\/(?:src\/(?:[^/]+\/)*|adapters\/)([^/]+)\//.exec(moduleIds.at(-1) ?? "") ?? [];
  return room === undefined || name.startsWith(room) ? "[name].js" : `${room}-[name].js`;
}

export default config;

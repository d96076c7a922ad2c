import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin, type RolldownOptions } from "rolldown";
import { minifySync } from "rolldown/utils";

// The part of kysely that writes our SQL; docs/architecture.md says why. Everything else is resolved from node_modules.
const bundled = ["kysely"];

// What is bundled keeps its licence beside it.
function licenseOf(name: string): string {
  const folder = `node_modules/${name}`;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file.`);
  return `${name}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
}

const licenses: Plugin = {
  name: "licenses",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "licenses.txt", source: bundled.map(licenseOf).join("\n\n") });
  },
};

// npm links it as the command `latchkey`.
const executable: Plugin = {
  name: "executable",
  writeBundle: ({ dir }) => chmodSync(`${dir}/cli.js`, 0o755),
};

// The comments and local names of what is bundled would be half of what every start reads.
const withoutComments: Plugin = {
  name: "without-comments",
  transform: {
    filter: { id: /node_modules.*\.(js|cjs|mjs)$/ },
    handler: (code, id) => ({ code: minifySync(id, code, { compress: false }).code, map: null }),
  },
};

// Engines read a JSON text faster than an object of the language, and without blanks it is half as long.
const jsonAsText: Plugin = {
  name: "json-as-text",
  transform: {
    filter: { id: /\.json$/ },
    handler: (code) => ({
      code: `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(code)))});`,
      moduleType: "js",
      map: null,
    }),
  },
};

// A single character beyond Latin-1 makes engines hold the whole file in two bytes a character: every start would read and keep twice as much.
const asciiOnly: Plugin = {
  name: "ascii-only",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === "chunk") chunk.code = chunk.code.replace(/[^\p{ASCII}]/gv, toEscapes);
    }
  },
};

function toEscapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** One bundled entry per export subpath; the adapters import the package root by its name, so the core exists once at run time. */
const config: RolldownOptions = defineConfig({
  input: {
    index: "src/index.ts",
    operations: "adapters/operations/index.ts",
    storage: "adapters/storage/index.ts",
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
    "identity-providers": "adapters/identity-providers/index.ts",
    saml: "adapters/saml/index.ts",
    ldap: "adapters/ldap/index.ts",
    client: "adapters/client/index.ts",
    testing: "adapters/testing/index.ts",
    "lambda-types": "adapters/lambda-types/index.ts",
    "lambda-globals": "adapters/lambda-globals/index.ts",
    "lambda-runner": "adapters/lambda-runner/index.ts",
    "isolated-vm": "adapters/isolated-vm/index.ts",
    // The guests are started as they are, by path.
    "isolated-vm-guest": "adapters/isolated-vm/guest.ts",
    quickjs: "adapters/quickjs/index.ts",
    "quickjs-guest": "adapters/quickjs/guest.ts",
    "node-vm": "adapters/node-vm/index.ts",
    "node-vm-guest": "adapters/node-vm/guest.ts",
    nats: "adapters/nats/index.ts",
    kafka: "adapters/kafka/index.ts",
    nodemailer: "adapters/nodemailer/index.ts",
    opentelemetry: "adapters/opentelemetry/index.ts",
    cli: "adapters/cli/index.ts",
    contract: "test/contract/index.ts",
  },
  platform: "node",
  transform: { target: "node22" },
  external: (id) => !/^[./]/.test(id) && !bundled.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [licenses, executable, withoutComments, jsonAsText, asciiOnly],
  output: {
    dir: "dist",
    format: "esm",
    comments: { jsdoc: false },
    sourcemap: true,
    // The sources are shipped beside their maps.
    sourcemapExcludeSources: true,
    chunkFileNames: "[name]-[hash].js",
    // A start opens one file for the core. What is loaded on first use comes in a few more.
    codeSplitting: {
      groups: [
        { name: "core", test: /\/src\/(?!.*hash-thread)/, tags: ["$initial"], priority: 2 },
        {
          name: "schemas",
          test: /\/src\/(resources\/.*\/schema|http\/schema\/fields)\.ts$/,
          priority: 1,
          includeDependenciesRecursively: false,
        },
        { name: "on-demand", test: /\/src\/(?!.*hash-thread).*\.ts$/, entriesAware: true },
      ],
    },
  },
});

export default config;

// The client without Node: bundled for browsers, and run where there is nothing but what browsers have.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { expect, onTestFinished } from "vitest";
import { listenFor } from "../support/client.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, startWorld } from "../support/world.js";

const entry = fileURLToPath(new URL("../../adapters/client/index.ts", import.meta.url));

const settings = { bundle: true, platform: "browser", target: "es2022", logLevel: "silent" } as const;

/** The client as it is published: one file. */
async function buildPackage(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "latchkey-client-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const outfile = join(directory, "client.js");
  await build({ ...settings, entryPoints: [entry], outfile, format: "esm" });
  return outfile;
}

/** What a bundler makes of an application with the client. */
async function bundle(
  source: string,
): Promise<{ readonly text: string; readonly inputs: readonly string[]; readonly gzipped: number }> {
  const file = await buildPackage();
  const stdin = { contents: source.replace("latchkey/client", file), resolveDir: "/" };
  const result = await build({ ...settings, stdin, write: false, minify: true, metafile: true, format: "iife" });
  const text = result.outputFiles[0]?.text ?? "";
  return { text, inputs: Object.keys(result.metafile.inputs), gzipped: gzipSync(text).length };
}

/** What browsers have and the client uses. */
const webGlobals = {
  AbortController,
  DOMException,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  btoa,
  clearTimeout,
  fetch,
  setTimeout,
};

requirement("client.bundle", "a bundle for browsers has nothing of the service and of Node, and works", async () => {
  const { text, inputs } = await bundle(`
    import { createClient, unwrap } from "latchkey/client";
    globalThis.run = async (baseUrl, apiKey) => {
      const client = createClient({ baseUrl, apiKey });
      const { group } = unwrap(await client.groups.create({ group: { name: "Editors" } }, { auditReason: "größer" }));
      const names = [];
      for await (const { name } of client.groups.searchAll()) names.push(name);
      const missing = await client.groups.retrieve({ groupId: "00000000-0000-4000-8000-000000000000" });
      const late = await client.groups.list({}, { signal: AbortSignal.abort() }).catch(String);
      return JSON.stringify([group.name, names, missing.status, missing.code, late.kind ?? late]);
    };`);
  expect(inputs).toHaveLength(2);
  const { identity } = await startWorld(memoryStorage());
  const baseUrl = await listenFor(nodeHandler(identity));
  const context = createContext({ ...webGlobals, AbortSignal });
  runInContext(text, context);
  const run = context.run as (baseUrl: string, apiKey: string) => Promise<string>;
  expect(JSON.parse(await run(baseUrl, bootstrapKey))).toEqual(["Editors", ["Editors"], 404, "[notFound]", "aborted"]);
});

const whole = `import { createClient } from "latchkey/client"; globalThis.client = createClient;`;
const ofGroups = `import { connect, groups } from "latchkey/client"; globalThis.client = (o) => groups(connect(o));`;

requirement("client.bundle", "who imports one family bundles no other", async () => {
  const [all, one] = [await bundle(whole), await bundle(ofGroups)];
  expect(one.text.match(/\/api\/[\w/-]+/g)?.filter((path) => !path.startsWith("/api/group"))).toEqual([]);
  expect(all.text).toContain("/api/webhook");
  console.info(`the client, minified and gzipped: ${all.gzipped} bytes; with groups alone: ${one.gzipped}`);
  expect(all.gzipped).toBeLessThan(8_450);
  expect(one.gzipped).toBeLessThan(5_450);
});

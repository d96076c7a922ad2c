/**
 * Writes what is made from the routes and the types of their operations: `openapi.json`, and in `temp` what `known-members.json` must be. Git
 * ignores both. With `--when-stale` only where a source is newer. `npm run openapi` also accepts what changed.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isStale } from "./is-stale.ts";

const root = join(import.meta.dirname, "..");
const file = join(root, "openapi.json");
const knownMembersFile = join(root, "temp/known-members.json");

/** Writes the document where it is missing or older than a source, in a process of its own: the compiler takes much memory. */
export function buildOpenApiWhenStale(): void {
  const sources = ["src/**/*.ts", "scripts/openapi/*.ts", "package-lock.json"];
  if (!["openapi.json", "temp/known-members.json"].some((made) => isStale(made, sources))) return;
  const { status } = spawnSync(process.execPath, [import.meta.filename], { stdio: "inherit" });
  if (status !== 0) throw new Error("openapi.json could not be made.");
}

async function buildOpenApi(): Promise<void> {
  await import("../test/storage/support/resolve-sources.ts");
  const { makeDocument } = await import("./openapi/make-document.ts");
  const { describeKnownMembers } = await import("./openapi/known-members.ts");
  mkdirSync(join(root, "temp"), { recursive: true });
  write(knownMembersFile, `${JSON.stringify(describeKnownMembers(), null, 1)}\n`);
  write(file, `${JSON.stringify(await makeDocument())}\n`);
}

/** Writes a file beside its place first: a process that reads it meanwhile never finds half of it. */
function write(path: string, text: string): void {
  const made = `${path}.${process.pid}`;
  writeFileSync(made, text);
  renameSync(made, path);
}

if (import.meta.main) {
  if (process.argv.includes("--when-stale")) buildOpenApiWhenStale();
  else await buildOpenApi();
}

/** Builds the browser application of the console into `dist/console`, where it is missing or older than its sources. */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isStale } from "./is-stale.ts";
import { buildOpenApiWhenStale } from "./openapi.ts";

const root = join(import.meta.dirname, "..");
const built = join(root, "dist/console");

if (import.meta.main) await buildConsoleWhenStale();

/** Builds it where it is not there, or older than its sources. Its forms are made from the OpenAPI document, which is built before. */
export async function buildConsoleWhenStale(): Promise<void> {
  buildOpenApiWhenStale();
  if (isStale("dist/console/index.html", ["console/**", "openapi.json", "package-lock.json"])) await buildConsole();
}

/** Builds it beside its place and moves it there whole: a server that runs meanwhile never finds half of it. */
export async function buildConsole(): Promise<void> {
  const { build } = await import("vite");
  const { default: config } = await import("../console/vite.config.ts");
  mkdirSync(join(root, "dist"), { recursive: true });
  const made = mkdtempSync(join(root, "dist/.console-"));
  await build({ ...config, configFile: false, build: { ...config.build, outDir: made } });
  chmodSync(made, 0o755);
  rmSync(built, { recursive: true, force: true });
  try {
    renameSync(made, built);
  } catch {
    // Another process has built the same meanwhile.
    rmSync(made, { recursive: true });
  }
}

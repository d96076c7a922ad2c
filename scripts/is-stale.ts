import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Whether a built file is not there, or older than one of its sources. A folder among them counts as changed where a file of it came or went. */
export function isStale(built: string, sources: readonly string[]): boolean {
  const file = join(root, built);
  if (!existsSync(file)) return true;
  const builtAt = statSync(file).mtimeMs;
  return globSync(sources, { cwd: root }).some((source) => statSync(join(root, source)).mtimeMs > builtAt);
}

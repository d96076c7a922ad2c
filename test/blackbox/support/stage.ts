import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBuild } from "../../support/shared-build.js";

const root = join(import.meta.dirname, "../../..");

/**
 * A place where the package stands built as it is published, with the examples beside it: what `npm start` runs, out of the
 * way of `dist`, so that test files need not wait for one another.
 */
export interface Stage extends AsyncDisposable {
  readonly directory: string;
}

export async function createStage(): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), "latchkey-stage-"));
  await cp(await findBuild(), join(directory, "dist"), { recursive: true });
  await symlink(join(root, "node_modules"), join(directory, "node_modules"));
  for (const name of ["package.json", "openapi.json", "examples"])
    await cp(join(root, name), join(directory, name), { recursive: true });
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}

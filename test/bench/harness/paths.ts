import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A file of this folder by its path inside it. */
export const fromBench = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Where databases and bundles go: beside the code, so that the disk is a real one and packages resolve. */
export const dataDirectory = (): string => {
  const directory = process.env.BENCH_DATA ?? fromBench(".data");
  mkdirSync(directory, { recursive: true });
  return directory;
};

/** Throws unless `npm run build` has been run: our side is measured as it is published. */
export const assertBuilt = (): void => {
  if (!existsSync(fromBench("../../dist/index.js"))) throw new Error("latchkey is not built; run `npm run build` first");
};

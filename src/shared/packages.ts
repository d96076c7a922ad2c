import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Checks the release of Node before something fails that needs a later one, such as a native module. `bin/latchkey.cjs` says the
 * same. @throws Error that names the first release that is enough, which is `engines` of the package.
 */
export function assertNodeVersion(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 12))
    throw new Error(`latchkey needs Node 22.12 or later. This is Node v${process.versions.node}.`);
}

/**
 * Loads a package on first use. `moduleUrl` is the caller's `import.meta.url`, which CommonJS bundles do not have: then
 * packages are resolved from the program. @throws Error that names the user of the package and how to install it, or the release
 * of Node that is needed: native modules may crash an earlier one.
 */
export function loadPackage<Library>(moduleUrl: string | undefined, name: string, user: string): Library {
  assertNodeVersion();
  try {
    return createRequire(placeOf(moduleUrl))(name);
  } catch (error) {
    throw new Error(adviceOf(name, user), { cause: error });
  }
}

/**
 * Resolves a file of a package, or its main one, without loading it. @throws TypeError that names the user of the package and
 * how to install it.
 */
export function findPackage(moduleUrl: string | undefined, name: string, user: string, file: string = name): string {
  try {
    return createRequire(placeOf(moduleUrl)).resolve(file);
  } catch (error) {
    throw new TypeError(adviceOf(name, user), { cause: error });
  }
}

function adviceOf(name: string, user: string): string {
  return `${user} needs the package ${name}: npm install ${name}`;
}

function placeOf(moduleUrl: string | undefined): string {
  return moduleUrl ?? process.argv[1] ?? join(process.cwd(), "program.js");
}

/** A file or folder that is used by its path: in the sources, and beside the built module. */
export interface PackageFile {
  /** In the sources: the path from the module, such as `./thread-program.ts`. */
  readonly source: string;
  /** In the built package: the path from the folder `dist`, such as `sqlite-thread.js`. */
  readonly built: string;
}

/**
 * Finds a file of the package that is used by its path, such as the program of a thread. If a bundler separated the module from
 * it, it is taken from the installed package. @throws Error that names the file to copy if neither exists. docs/bundling.md
 */
export function findPackageFile(moduleUrl: string | undefined, { built, source }: PackageFile): URL {
  // In the sources, Node strips the types itself.
  if (moduleUrl?.endsWith(".ts")) return new URL(source, moduleUrl);
  const place = pathToFileURL(placeOf(undefined));
  const beside = new URL(built, moduleUrl ?? place);
  if (existsSync(beside)) return beside;
  const installed = findInstalled(moduleUrl, built);
  if (installed !== undefined) return installed;
  throw new Error(
    `${built} of latchkey is not beside the bundle. Leave latchkey out of the bundle, or copy node_modules/latchkey/dist to the bundle's folder (docs/bundling.md).`,
  );
}

function findInstalled(moduleUrl: string | undefined, built: string): URL | undefined {
  try {
    const manifest = createRequire(placeOf(moduleUrl)).resolve("latchkey/package.json");
    const url = pathToFileURL(join(dirname(manifest), "dist", built));
    return existsSync(url) ? url : undefined;
  } catch {
    return undefined;
  }
}

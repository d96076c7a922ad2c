// Projects of users: empty folders into which the packed tarball is installed as it will be from the registry.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const root: string = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "latchkey-package-"));

let tarball: string | undefined;

/** Packs the repository once, as `npm publish` would; `npm run build` comes before. */
function pack(): string {
  tarball ??= join(folder, run("npm", ["pack", root, "--silent", "--ignore-scripts"], folder).trim());
  return tarball;
}

/** The version of a package that this repository is developed with. */
function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;
}

/** A project that has the package and nothing else but what is named here, in the versions that this repository has. */
export function makeProject(packages: readonly string[] = []): string {
  const directory = mkdtempSync(join(folder, "project-"));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const wanted = [pack(), ...packages.map((name) => `${name}@${versionOf(name)}`)];
  run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", ...wanted], directory);
  return directory;
}

/** Puts a file of the repository, or a text, into a project. */
export function addFile(project: string, path: string, text?: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  if (text === undefined) cpSync(join(root, path), join(project, path));
  else writeFileSync(join(project, path), text);
}

/** What a command prints. @throws Error with all that it said, when it fails. */
export function run(command: string, args: readonly string[], directory: string, env: NodeJS.ProcessEnv = process.env): string {
  try {
    return execFileSync(command, args, { cwd: directory, encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stderr, stdout } = error as { readonly stderr: string; readonly stdout: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}

/** What a script prints that runs in a project: a module, or CommonJS. */
export function runScript(project: string, script: string, type: "module" | "commonjs" = "module"): string {
  return run(process.execPath, [`--input-type=${type}`, "-e", script], project).trim();
}

export function removeProjects(): void {
  rmSync(folder, { recursive: true, force: true });
}

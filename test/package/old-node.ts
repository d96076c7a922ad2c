/** What a Node that is too old says: the command one line, and the scripts nothing, because the repository brings its own. Run by `npm run package:check`. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { makeProject, removeProjects, root } from "./support/projects.ts";

after(removeProjects);

const command = join(makeProject(), "node_modules/latchkey/bin/latchkey.cjs");
const needed = /^>=(.+)$/.exec(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).engines.node)?.[1];

/** Runs the command on a Node that says it is of another version. */
function runOn(version: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const pretend = `Object.defineProperty(process.versions, "node", { value: ${JSON.stringify(version)} });`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  return spawnSync(process.execPath, ["--import", preload, command, "--version"], { encoding: "utf8" });
}

test("the command says which Node it needs, in one line", () => {
  for (const version of ["20.20.2", "22.11.0", "18.0.0"]) {
    const { status, stdout, stderr } = runOn(version);
    assert.deepEqual([status, stdout, stderr], [1, "", `latchkey needs Node ${needed} or later. This is Node v${version}.\n`]);
  }
});

test("the command runs on the first Node that it needs, and on later ones", () => {
  for (const version of ["22.12.0", "23.0.0", "26.1.0"]) assert.deepEqual([version, runOn(version).status], [version, 0]);
});

/** The machine's own Node, without the one of the repository. */
const ownPath = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);
const own = spawnSync("node", ["--version"], { env: { ...process.env, PATH: ownPath }, encoding: "utf8" }).stdout?.trim() ?? "";
const isOld = /^v(?:1\d|20|21)\./.test(own);

test("the machine's own Node, where it is too old, says so too", { skip: !isOld && `it is ${own}` }, () => {
  const { status, stderr } = spawnSync("node", [command], { env: { ...process.env, PATH: ownPath }, encoding: "utf8" });
  assert.deepEqual([status, stderr], [1, `latchkey needs Node ${needed} or later. This is Node ${own}.\n`]);
});

test("the scripts of the repository use its own Node, not that of the machine", () => {
  const script = `npm exec --offline -- node --version`;
  const { stdout } = spawnSync("sh", ["-c", script], { cwd: root, env: { ...process.env, PATH: ownPath }, encoding: "utf8" });
  assert.match(stdout.trim(), /^v24\./);
});

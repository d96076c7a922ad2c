// The release as a whole, in a repository of its own whose npm writes down what it was asked for.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const changelog = "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-11-22\n\n### Fixed\n\n- One thing.\n";

interface Repository {
  readonly directory: string;
  readonly git: (...args: readonly string[]) => string;
  readonly release: (...args: readonly string[]) => { readonly status: number | null; readonly stderr: string };
  /** What npm was asked for. */
  readonly asked: () => readonly string[];
}

/** A repository that can be released; npm fails at what is `broken`. */
function makeRepository(broken = "nothing"): Repository {
  const directory = mkdtempSync(join(tmpdir(), "latchkey-release-"));
  const bin = mkdtempSync(join(tmpdir(), "latchkey-bin-"));
  onTestFinished(() => [directory, bin].forEach((path) => void rmSync(path, { recursive: true })));
  cpSync(join(root, "scripts"), join(directory, "scripts"), { recursive: true });
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module", version: "1.2.3", repository: "here" }));
  writeFileSync(join(directory, "CHANGELOG.md"), changelog);
  writeFileSync(join(bin, "npm"), `#!/bin/sh\necho "$*" >>'${bin}/asked'\ntest "$*" != '${broken}'\n`);
  chmodSync(join(bin, "npm"), 0o755);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: directory, encoding: "utf8" }).trim();
  git("init", "-q");
  git("add", ".");
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-qm", "release 1.2.3");
  return {
    directory,
    git,
    release: (...args) => spawnSync(process.execPath, ["scripts/release.ts", ...args], { cwd: directory, env, encoding: "utf8" }),
    asked: () => readFileSync(join(bin, "asked"), "utf8").trim().split("\n"),
  };
}

const checks = ["test", "run build", "run check", "run api:check", "run package:check", "run docs"];

test("a release checks everything and shows what would be published", () => {
  const { asked, git, release } = makeRepository();
  expect(release()).toMatchObject({ status: 0 });
  expect(asked()).toEqual([...checks, "publish --dry-run --access public"]);
  expect(git("tag")).toBe("");
});

test("a release that is published has a statement of provenance and a tag, and is published once", () => {
  const { asked, git, release } = makeRepository();
  expect(release("--publish")).toMatchObject({ status: 0 });
  expect(asked()).toEqual([...checks, "publish --provenance --access public"]);
  expect(git("tag")).toBe("v1.2.3");
  expect(release("--publish")).toMatchObject({ status: 1, stderr: expect.stringContaining("a tag v1.2.3 already") });
  expect(asked()).toHaveLength(checks.length + 1);
});

test("a check that fails ends the release", () => {
  const { asked, git, release } = makeRepository("run api:check");
  expect(release("--publish")).toMatchObject({ status: 1, stderr: expect.stringContaining("npm run api:check failed.") });
  expect(asked().at(-1)).toBe("run api:check");
  expect(git("tag")).toBe("");
});

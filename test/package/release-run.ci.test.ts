// The release as a whole, in a repository of its own whose npm writes down what it was asked for.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { notesFile } from "../../scripts/release-files.js";
import { requirement } from "../support/requirement.js";

const root = join(import.meta.dirname, "../..");
const released = "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-11-22\n\n### Fixed\n\n- One thing.\n";

interface Repository {
  readonly directory: string;
  readonly git: (...args: readonly string[]) => string;
  readonly release: (...args: readonly string[]) => Record<"stderr" | "stdout", string> & { readonly status: number | null };
  /** What npm was asked for. */
  readonly asked: () => readonly string[];
}

/** A repository that can be released; npm fails at what is `broken`. */
function makeRepository({ broken = "nothing", changelog = released } = {}): Repository {
  const directory = mkdtempSync(join(tmpdir(), "latchkey-release-"));
  const bin = mkdtempSync(join(tmpdir(), "latchkey-bin-"));
  onTestFinished(() => [directory, bin].forEach((path) => void rmSync(path, { recursive: true })));
  cpSync(join(root, "scripts"), join(directory, "scripts"), { recursive: true });
  const manifest = { name: "one", type: "module", version: "1.2.3", repository: "https://git.example/one" };
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(directory, "CHANGELOG.md"), changelog);
  writeFileSync(join(directory, ".gitignore"), "temp\n");
  const pack = `if [ "$1" = pack ]; then echo tarball >"$3/one-1.2.3.tgz"; fi`;
  writeFileSync(join(bin, "npm"), `#!/bin/sh\necho "$*" >>'${bin}/asked'\n${pack}\ntest "$*" != '${broken}'\n`);
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
const pack = "pack --pack-destination temp/release";

test("a release checks everything and packs what would be published", () => {
  const { asked, git, release } = makeRepository();
  expect(release()).toMatchObject({ status: 0, stdout: expect.stringContaining("npm run release -- --publish") });
  expect(asked()).toEqual([...checks, pack]);
  expect(git("tag")).toBe("");
});

requirement("release.dry-run", "makes the tarball, its notes and its provenance, and publishes nothing", () => {
  const { asked, directory, git, release } = makeRepository();
  expect(release("--dry-run")).toMatchObject({ status: 0 });
  expect(asked()).toEqual(["run build", pack]);
  const read = (name: string): string => readFileSync(join(directory, "temp/release", name), "utf8");
  expect(read(notesFile)).toBe("### Fixed\n\n- One thing.\n");
  const tarball = read("one-1.2.3.tgz");
  expect(JSON.parse(read("provenance.json"))).toMatchObject({
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "pkg:npm/one@1.2.3", digest: { sha512: createHash("sha512").update(tarball).digest("hex") } }],
    predicate: {
      buildDefinition: {
        resolvedDependencies: [{ uri: "https://git.example/one", digest: { gitCommit: git("rev-parse", "HEAD") } }],
      },
    },
  });
  expect(git("tag")).toBe("");
  expect(git("status", "--porcelain")).toBe("");
});

requirement("release.dry-run", "says what is missing before a release, with the notes of what is not released", () => {
  const unreleased = released.replace("## Unreleased\n", "## Unreleased\n\n### Added\n\n- Another thing.\n");
  const { directory, release } = makeRepository({ changelog: unreleased });
  expect(release()).toMatchObject({ status: 1 });
  const missing = "Before v1.2.3 can be published:\n- CHANGELOG.md has entries that are not released.\n";
  expect(release("--dry-run")).toMatchObject({ status: 0, stdout: expect.stringContaining(missing) });
  expect(readFileSync(join(directory, "temp/release", notesFile), "utf8")).toBe("### Added\n\n- Another thing.\n");
});

test("a release publishes the tarball that it packed, with provenance and a tag, and only once", () => {
  const { asked, git, release } = makeRepository();
  expect(release("--publish")).toMatchObject({ status: 0 });
  expect(asked()).toEqual([...checks, pack, "publish temp/release/one-1.2.3.tgz --provenance --access public"]);
  expect(git("tag")).toBe("v1.2.3");
  expect(release("--publish")).toMatchObject({ status: 1, stderr: expect.stringContaining("a tag v1.2.3 already") });
  expect(asked()).toHaveLength(checks.length + 2);
});

test("a check that fails ends the release", () => {
  const { asked, git, release } = makeRepository({ broken: "run api:check" });
  expect(release("--publish")).toMatchObject({ status: 1, stderr: expect.stringContaining("npm run api:check failed.") });
  expect(asked().at(-1)).toBe("run api:check");
  expect(git("tag")).toBe("");
});

test("a dry run that is published is refused", () => {
  const { release } = makeRepository();
  expect(release("--publish", "--dry-run")).toMatchObject({ status: 1, stderr: "Pass --dry-run or --publish, not both.\n" });
});

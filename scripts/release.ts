/**
 * Releases the version that package.json names: `npm run release` checks everything and shows what would be published,
 * `npm run release -- --publish` publishes with provenance and tags the commit. docs/releases.md has the steps.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import manifest from "../package.json" with { type: "json" };
import { parseChangelog, type Release } from "./changelog.ts";

/** What a release is judged by before anything is run. */
export interface Candidate {
  readonly version: string;
  readonly releases: readonly Release[];
  /** What `git status --porcelain` says. */
  readonly changedFiles: string;
  /** The tags that there are. */
  readonly tags: readonly string[];
  /** Whether it is published now, and not just looked at. */
  readonly isPublished: boolean;
  /** Where package.json says that the sources are: what a statement of provenance is checked against. */
  readonly repository: unknown;
}

/** Why a candidate cannot be released; empty when it can. */
export function findFaults({ version, releases, changedFiles, tags, isPublished, repository }: Candidate): readonly string[] {
  const [unreleased, released] = releases;
  const rules: readonly (readonly [isKept: boolean, fault: string])[] = [
    [changedFiles === "", "There are changes that are not committed."],
    [!tags.includes(`v${version}`), `There is a tag v${version} already.`],
    [unreleased?.version === "Unreleased" && unreleased.entries.length === 0, "CHANGELOG.md has entries that are not released."],
    [released?.version === version && released.date !== undefined, `CHANGELOG.md has no dated ${version} below Unreleased.`],
    [released?.version !== version || released.entries.length > 0, `CHANGELOG.md says nothing of ${version}.`],
    [!isPublished || repository !== undefined, "package.json names no repository, which a statement of provenance needs."],
  ];
  return rules.filter(([isKept]) => !isKept).map(([, fault]) => fault);
}

const checks = ["npm test", "npm run build", "npm run check", "npm run api:check", "npm run package:check", "npm run docs"];

function release(isPublished: boolean): void {
  const { version, repository }: { readonly version: string; readonly repository?: unknown } = manifest;
  const releases = parseChangelog(readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8"));
  const candidate = {
    version,
    releases,
    changedFiles: ask("git status --porcelain"),
    tags: ask("git tag").split("\n"),
    isPublished,
    repository,
  };
  const faults = findFaults(candidate);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  for (const check of checks) go(check);
  if (isPublished) {
    go("npm publish --provenance --access public");
    go(`git tag v${version}`);
  } else go("npm publish --dry-run --access public");
  console.log(
    isPublished ? `v${version} is published; push its tag.` : `v${version} can be published: npm run release -- --publish`,
  );
}

function ask(command: string): string {
  return spawnSync(command, { shell: true, encoding: "utf8" }).stdout.trim();
}

function go(command: string): void {
  console.log(`== ${command}`);
  const { status } = spawnSync(command, { shell: true, stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} failed.`);
}

if (import.meta.main) {
  try {
    release(process.argv.includes("--publish"));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

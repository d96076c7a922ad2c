/**
 * Releases the version that package.json names. `npm run release -- --dry-run` writes the tarball, the notes and the provenance into
 * `temp/release`, and says what a release still lacks. `npm run release` runs all checks before. `npm run release -- --publish` publishes
 * that tarball with provenance and tags the commit. docs/releases.md has the steps.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { parseChangelog, type Release } from "./changelog.ts";
import { toNotes, writeRelease } from "./release-files.ts";

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
const directory = "temp/release";

/** How far a release goes. */
interface Steps {
  readonly isDry: boolean;
  readonly isPublished: boolean;
}

function release({ isDry, isPublished }: Steps): void {
  const { name, version, repository }: Manifest = manifest;
  const changelog = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8");
  const releases = parseChangelog(changelog);
  const changedFiles = ask("git status --porcelain");
  const faults = findFaults({ version, releases, changedFiles, tags: ask("git tag").split("\n"), isPublished, repository });
  if (faults.length > 0 && !isDry) throw new Error(faults.join("\n"));
  for (const check of isDry ? ["npm run build"] : checks) go(check);
  // What is not released yet is what a dry run is curious about.
  const [newest] = releases.filter(({ entries }) => entries.length > 0);
  const source = { name: name ?? "", version, repository: toUrl(repository), commit: ask("git rev-parse HEAD") };
  const tarball = writeRelease(directory, source, {
    notes: toNotes(changelog, { version: newest?.version ?? version }),
    pack: (to) => go(`npm pack --pack-destination ${to}`),
  });
  if (isPublished) {
    go(`npm publish ${tarball} --provenance --access public`);
    go(`git tag v${version}`);
    console.log(`v${version} is published; push its tag.`);
    return;
  }
  console.log(`${directory} has the tarball, notes.md and provenance.json.`);
  if (faults.length > 0) console.log(`Before v${version} can be published:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
  else if (isDry) console.log(`Next: npm run release`);
  else console.log(`v${version} can be published: npm run release -- --publish`);
}

/** What package.json says, as far as it is used. */
interface Manifest {
  readonly name?: string;
  readonly version: string;
  readonly repository?: string | { readonly url: string };
}

function toUrl(repository: Manifest["repository"]): string {
  return typeof repository === "object" ? repository.url : (repository ?? "");
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
    const flag = { type: "boolean", default: false } as const;
    const { values } = parseArgs({ options: { "dry-run": flag, publish: flag } });
    if (values["dry-run"] && values.publish) throw new Error("Pass --dry-run or --publish, not both.");
    release({ isDry: values["dry-run"], isPublished: values.publish });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

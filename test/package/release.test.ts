import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { parseChangelog, type Release } from "../../scripts/changelog.js";
import { findFaults } from "../../scripts/release.js";
import { requirement } from "../support/requirement.js";

const changelog = parseChangelog(readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8"));
const toNumbers = (version: string): readonly number[] => version.split(".").map(Number);

describe("CHANGELOG.md", () => {
  requirement("release.changelog", "begins with what is not released, and dates the rest, newest first", () => {
    const [unreleased, ...released] = changelog;
    expect(unreleased).toMatchObject({ version: "Unreleased", date: undefined });
    expect(released.filter(({ date }) => date === undefined)).toEqual([]);
    const versions = released.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted(byVersion).toReversed());
  });

  test("has entries under the kinds of Keep a Changelog alone", () => {
    const kinds = new Set(["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]);
    for (const { kinds: own, entries } of changelog) {
      expect(own.filter((kind) => !kinds.has(kind))).toEqual([]);
      expect(own).toEqual([...new Set(own)]);
      expect(entries.length >= own.length).toBe(true);
    }
  });

  test("has not released what package.json does not name yet", () => {
    for (const { version } of changelog.slice(1)) expect(byVersion(version, manifest.version)).toBeLessThanOrEqual(0);
  });
});

function byVersion(one: string, other: string): number {
  const [a, b] = [toNumbers(one), toNumbers(other)];
  const index = a.findIndex((number, place) => number !== b[place]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

describe("the form of a changelog", () => {
  test("is read with its kinds and entries, those of several lines in one", () => {
    const text = "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-11-22\n\n### Fixed\n\n- One\n  thing.\n- Another.\n";
    expect(parseChangelog(text)).toEqual([
      { version: "Unreleased", date: undefined, kinds: [], entries: [] },
      { version: "1.2.3", date: "2026-11-22", kinds: ["Fixed"], entries: ["One thing.", "Another."] },
    ]);
  });

  test.each(["1.2", "Next", "1.2.3 2026-11-22", "1.2.3 - yesterday"])("is refused with a heading %s", (heading) => {
    expect(() => parseChangelog(`## ${heading}\n`)).toThrow(heading);
  });
});

describe("a release", () => {
  const unreleased: Release = { version: "Unreleased", date: undefined, kinds: [], entries: [] };
  const released: Release = { version: "1.2.3", date: "2026-11-22", kinds: ["Fixed"], entries: ["One."] };
  const candidate = {
    version: "1.2.3",
    releases: [unreleased, released],
    changedFiles: "",
    tags: ["v1.2.2"],
    isPublished: false,
    repository: undefined,
  };

  requirement("release.candidate", "is made of a clean tree whose version is in the changelog and has no tag", () => {
    expect(findFaults(candidate)).toEqual([]);
    expect(findFaults({ ...candidate, isPublished: true, repository: "somewhere" })).toEqual([]);
  });

  test.each([
    [{ changedFiles: " M src/index.ts" }, "not committed"],
    [{ tags: ["v1.2.3"] }, "tag v1.2.3"],
    [{ releases: [{ ...unreleased, entries: ["New."] }, released] }, "not released"],
    [{ releases: [unreleased, { ...released, date: undefined }] }, "no dated 1.2.3"],
    [{ releases: [unreleased, { ...released, entries: [] }] }, "nothing of 1.2.3"],
    [{ releases: [unreleased, { ...released, version: "1.2.2" }] }, "no dated 1.2.3"],
    [{ releases: [] }, "no dated 1.2.3"],
    [{ isPublished: true }, "no repository"],
  ])("is refused with %j", (change, fault) => {
    expect(findFaults({ ...candidate, ...change }).join("\n")).toContain(fault);
  });
});

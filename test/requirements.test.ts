import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { requirements } from "./requirements.js";

const directory = fileURLToPath(new URL(".", import.meta.url));

/** An id in a file: of a rule that a test cites, or of one that a list of rules declares. */
interface Mention {
  readonly id: string;
  /** `path:line`. */
  readonly place: string;
}

// A rule without a test may break unseen, and a test that cites an unknown rule proves nothing.
const cited = mentionsIn("**/*.test.ts", /\brequirement\(\s*(?:"[^"]+"|\[[^\]]*\])/g, /[\w-]+\.[\w.-]+/g);
const declared = mentionsIn("requirements/*.ts", /(?<=: *\n? *)(?:"[^"]*"|`[^`]*`)/g, /[\w-]+\.[\w.-]+/g);

test("every requirement has a test", () => {
  const known = new Set(cited.map(({ id }) => id));
  const uncovered = Object.keys(requirements).filter((id) => !known.has(id));
  console.info(
    `requirements covered: ${Object.keys(requirements).length - uncovered.length} of ${Object.keys(requirements).length}`,
  );
  const places = uncovered.map((id) => declared.find((mention) => mention.id === id)?.place ?? "test/requirements.ts");
  const faults = uncovered.map(
    (id, index) => `${places[index]} ${id}: write a test, requirement("${id}", …), or take the id away`,
  );
  expect(faults).toEqual([]);
});

test("every requirement has a place in the lists", () => {
  const listed = new Set(declared.map(({ id }) => id));
  expect(Object.keys(requirements).filter((id) => !listed.has(id))).toEqual([]);
});

test("every requirement that a test cites is known", () => {
  const unknown = cited.filter(({ id }) => !Object.hasOwn(requirements, id));
  const advice = "no such rule: correct the id, or add it to the section that states the rule in test/requirements/";
  expect(unknown.map(({ id, place }) => `${place} ${id}: ${advice}`)).toEqual([]);
});

/** The ids in the parts of files that a pattern finds, with their places. */
function mentionsIn(files: string, part: RegExp, ids: RegExp): readonly Mention[] {
  return globSync(files, { cwd: directory }).flatMap((file) => {
    const text = readFileSync(directory + file, "utf8");
    return Array.from(text.matchAll(part), ({ 0: found, index: begin }) =>
      Array.from(found.matchAll(ids), ({ 0: id, index }) => {
        const line = text.slice(0, begin + index).split("\n").length;
        return { id, place: `test/${file}:${line}` };
      }),
    ).flat();
  });
}

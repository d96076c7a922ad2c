// What a page shows as code stands in a file of examples/ that runs in the tests, word for word; a transcript is run as it is printed.
import { globSync, readFileSync } from "node:fs";
import { join, type ParsedPath, parse } from "node:path";
import { describe, expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { hasRegion } from "./support/find-region.js";
import { blocksOf, pages, root } from "./support/pages.js";

/** What the languages of blocks promise. */
const promises: Readonly<Record<string, "example" | "transcript" | "nothing">> = {
  ts: "example",
  js: "example",
  json: "example",
  sh: "example",
  html: "example",
  yaml: "example",
  // test/docs/transcripts.ci.test.ts
  console: "transcript",
  text: "nothing",
  http: "nothing",
};

/** Commands that something else runs: the command, the file that does, and how it stands there. */
const runElsewhere: readonly (readonly [command: string, file: string, text: RegExp])[] = [
  ["npm install latchkey express better-sqlite3", "test/package/readme.ts", /installLine/],
  ["(umask 077; ", "test/docs/support/readme-example.ts", /commandWith\("> \.env"\)/],
  ["node --env-file=.env app.mjs", "test/docs/support/readme-example.ts", /"--env-file=\.env"/],
  ["curl -H ", "test/docs/support/readme-example.ts", /callAsShown\(origin, "\/sign-up"\)[\s\S]*"\/login"/],
  ...[
    "npm ci && npm ",
    "npm ci && sh examples/one-minute.sh",
    "LATCHKEY_API_KEY=try-latchkey DATABASE_URL=memory: npm start",
  ].map((command) => [command, ".ci/run", /^step readme npm run readme$/m] as const),
  ["npx latchkey ", "test/cli/new-app.ci.test.ts", /\["init", "my-app"[\s\S]*"dev"/],
  ["latchkey users ", "test/cli/guide.ci.test.ts", /docs\/moving\.md/],
  ["latchkey ", "test/cli/guide.ci.test.ts", /docs\/configuration\.md/],
  ["npm install latchkey better-sqlite3", "test/package/installed.ts", /makeProject\(\["better-sqlite3"/],
];

const examples = globSync("examples/**/*.{ts,js,sh,json,ftl,yml}", { cwd: root });
const texts = examples.map((path) => readFileSync(join(root, path), "utf8"));
const blocks = pages.flatMap((page) => blocksOf(page));

describe.each(pages)("%s", (page) => {
  const own = blocks.filter((block) => block.page === page);

  test("says of each block what it is", () => {
    expect(own.filter(({ language }) => !(language in promises)).map(toPlace)).toEqual([]);
  });

  requirement("docs.snippets", "shows no code that does not run", () => {
    const unknown = own.filter(({ language, text }) => promises[language] === "example" && !isRun(text));
    expect(unknown.map(({ text, ...block }) => `${toPlace(block)}\n${text}`)).toEqual([]);
  });
});

const toPlace = ({ page, line, language }: { readonly page: string; readonly line: number; readonly language: string }): string =>
  `${page}:${line} ${language}`;

function isRun(text: string): boolean {
  return texts.some((example) => hasRegion(example, text)) || text.split("\n").every(isRunElsewhere);
}

function isRunElsewhere(command: string): boolean {
  return runElsewhere.some(
    ([known, file, text]) => command.startsWith(known) && text.test(readFileSync(join(root, file), "utf8")),
  );
}

test("finds a region at any indentation, and only as a whole", () => {
  const text = "a\n  if (b)\n    c();\n  d\n";
  expect(hasRegion(text, "if (b)\n  c();")).toBe(true);
  expect(hasRegion(text, "if (b)\nc();")).toBe(false);
  expect(hasRegion(text, "c();\nd\ne")).toBe(false);
  expect(hasRegion(text, "if (b")).toBe(false);
});

// A file that nothing runs proves nothing.
requirement("docs.examples", "each file of examples/ is run by a test", () => {
  const tests = globSync("{test,.ci}/**/*", { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .concat(texts)
    .join("\n");
  // Whole folders are run by test/docs/guides.test.ts and test/examples/lambdas.test.ts.
  const folders = [/^examples\/guides\/[^/]+\.ts$/, /^examples\/lambdas\//, /^examples\/kickstart\//];
  const others = examples.filter((path) => !folders.some((folder) => folder.test(path))).map((path) => parse(path));
  const isNamed = ({ base, name }: ParsedPath): boolean =>
    [base, `${name}.js`, `"${name}"`].some((reference) => tests.includes(reference));
  expect(others.filter((path) => !isNamed(path)).map(({ base }) => base)).toEqual([]);
});

// No link of a page leads nowhere, and no page is found by nobody.
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { repository } from "../../docs/site/links.js";
import { requirement } from "../support/requirement.js";
import { anchorsOf, pages, proseOf, readPage, root } from "./support/pages.js";

/** Where the files of the repository are shown that the package does not hold. */
const hosted = `${repository}/blob/main/`;

/** The targets of a page's links that lead to files or headings of the repository. */
function linksOf(page: string): readonly string[] {
  const links = proseOf(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g);
  return Array.from(links, ([, target = ""]) => target).filter((target) => target.startsWith(hosted) || !/^[a-z]+:/.test(target));
}

/** The file that a link leads to, from the root. */
function fileOf(page: string, link: string): string {
  if (link.startsWith("#")) return page;
  const [path = ""] = link.split("#");
  return link.startsWith(hosted) ? path.slice(hosted.length) : normalize(join(dirname(page), path));
}

function isDead(page: string, link: string): boolean {
  const file = fileOf(page, link);
  const anchor = link.split("#")[1];
  return !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(readPage(file)).has(anchor));
}

describe.each(pages)("%s", (page) => {
  requirement("docs.links", "has no dead link", () => {
    expect(linksOf(page).filter((link) => isDead(page, link))).toEqual([]);
  });
});

test("a link is dead when its file or its heading is missing", () => {
  expect(isDead("README.md", "docs/errors.md")).toBe(false);
  expect(isDead("README.md", "docs/errors.md#kinds-that-concern-the-whole-request")).toBe(false);
  expect(isDead("docs/errors.md", "#no-such-heading")).toBe(true);
  expect(isDead("README.md", "docs/no-such-page.md")).toBe(true);
  expect(isDead("README.md", `${hosted}test/bench/README.md#reading-a-line`)).toBe(false);
  expect(isDead("README.md", `${hosted}test/no-such-test.ts`)).toBe(true);
});

requirement("docs.index", "docs/README.md leads to every guide", () => {
  const found = new Set(linksOf("docs/README.md").map((link) => fileOf("docs/README.md", link)));
  const guides = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  expect(guides.filter((page) => !found.has(page))).toEqual([]);
});

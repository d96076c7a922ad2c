// The documentation site holds every guide, and its build fails on a link that leads nowhere and on a page that loads from elsewhere.
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findSiteFaults } from "../../docs/site/check.js";
import { repository, resolveLink } from "../../docs/site/links.js";
import { rewritePath, rootPages, sections, toAddress } from "../../docs/site/pages.js";
import manifest from "../../package.json" with { type: "json" };
import { requirement } from "../support/requirement.js";
import { readPage, root } from "./support/pages.js";

requirement("docs.site", "the sidebar lists every guide once, and nothing that does not exist", () => {
  const listed = sections.flatMap(({ pages }) => Object.keys(pages)).filter((page) => !rootPages.includes(page));
  const guides = globSync("docs/**/*.md", { cwd: root }).filter(
    (page) => !["docs/README.md", "docs/site/index.md"].includes(page),
  );
  expect(listed.toSorted()).toEqual(guides.toSorted());
  expect(rootPages.filter((page) => !existsSync(join(root, page)))).toEqual([]);
});

describe("a link of a page", () => {
  test.each([
    ["docs/README.md", "errors.md", "/docs/errors"],
    ["docs/errors.md", "../README.md#try-it", "/#try-it"],
    ["docs/errors.md", "README.md", "/docs/"],
    ["docs/errors.md", "../CHANGELOG.md", "/changelog"],
    ["docs/site/index.md", "docs/errors.md#x", "/docs/errors#x"],
    ["docs/errors.md", "../examples/README.md", "/examples/"],
    ["docs/errors.md", "../examples/lambdas/", `${repository}/blob/main/examples/lambdas`],
    ["docs/errors.md", "#x", "#x"],
    ["docs/errors.md", "https://example.com/x.md", "https://example.com/x.md"],
  ])("%s: %s leads to %s", (page, link, address) => {
    expect(resolveLink(page, link)).toBe(address);
  });

  test("to a file that does not exist stops the build", () => {
    expect(() => resolveLink("docs/errors.md", "no-such-page.md")).toThrow("docs/errors.md: the link no-such-page.md");
  });
});

test("the page of the API reference that a name has is served below /api/", () => {
  expect(rewritePath("temp/site/api/latchkey/index.md")).toBe("api/latchkey/index.md");
  expect(toAddress("temp/site/api/latchkey/functions/inject.md")).toBe("/api/latchkey/functions/inject");
});

describe("the check of the built site", () => {
  const page = '<h2 id="one">One</h2><a class="x" href="/b/two.html#top">Two</a>';

  test("accepts pages that lead to each other", () => {
    const files = new Map([
      ["index.html", page],
      ["b/two.html", '<h1 id="top"></h1><a href="../#one">One</a><a href="https://example.com">elsewhere</a>'],
    ]);
    expect(findSiteFaults(files)).toEqual([]);
  });

  test.each([
    ["a missing page", page, "index.html: /b/two.html#top leads nowhere"],
    ["a missing heading", '<a href="#two">Two</a>', "index.html: #two leads nowhere"],
    ["a script from elsewhere", '<script src="https://example.com/x.js">', "index.html loads https://example.com/x.js"],
    ["a style from elsewhere", '<link rel="x" href="//example.com/x.css">', "index.html loads //example.com/x.css"],
  ])("reports %s", (_, html, fault) => {
    expect(findSiteFaults(new Map([["index.html", html]]))).toEqual([fault]);
  });

  test("reports a font from elsewhere", () => {
    const style = "@import 'https://example.com/font.css'; a { src: url(x.woff) }";
    const files = new Map([
      ["index.html", ""],
      ["x.css", style],
    ]);
    expect(findSiteFaults(files)).toEqual(["x.css loads https://example.com/font.css"]);
  });

  test("reports a site that was not built", () => {
    expect(findSiteFaults(new Map())).toEqual(["there is no index.html"]);
  });
});

describe("CONTRIBUTING.md", () => {
  const page = readPage("CONTRIBUTING.md");

  test("names folders that exist", () => {
    const folders = Array.from(page.matchAll(/^\| `([^`\s]+\/)` \|/gm), ([, folder = ""]) => folder);
    expect(folders.length).toBeGreaterThan(5);
    expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  });

  test("names commands that package.json has", () => {
    const commands = Array.from(page.matchAll(/`npm (?:run )?([a-z:]+)`/g), ([, command = ""]) => command);
    expect(commands.filter((command) => command !== "ci" && !Object.hasOwn(manifest.scripts, command))).toEqual([]);
  });
});

test("package.json says where the project lives, as SECURITY.md and the issue templates do", () => {
  expect(manifest.repository.url).toBe(`git+${repository}.git`);
  expect(manifest.bugs).toBe(`${repository}/issues`);
  expect(readPage("SECURITY.md")).toContain(`${repository}/security`);
  expect(readPage(".github/ISSUE_TEMPLATE/config.yml")).toContain(`${repository}/security`);
});

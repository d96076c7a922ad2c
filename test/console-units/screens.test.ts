// Every screen is listed in test/console/support/screens.ts: there a browser looks at it in each look, and walks it by keyboard.
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { allScreens } from "../console/support/screens.js";

const folder = `${import.meta.dirname}/../../console/screens`;
const areas = globSync("*/index.{ts,tsx}", { cwd: folder })
  .map((file) => dirname(file))
  .sort();
const folders = globSync("*/", { cwd: folder }).sort();
const listed = allScreens.map(([path]) => path.replace(/\?.*/, ""));

/** The routes of an area, as its source names them: those of a family are a list, a form for a new record, and a record. */
function readRoutes(area: string): readonly string[] {
  const [file = ""] = globSync(`${area}/index.{ts,tsx}`, { cwd: folder });
  const text = readFileSync(`${folder}/${file}`, "utf8");
  const own = [...text.matchAll(/\{\s*path: "(\/[^"]*)",\s*screen:/g)].map(([, path = ""]) => path);
  const families = [...text.matchAll(/familyRoutes\("(\/[^"]*)"/g)].flatMap(([, path = ""]) => [
    path,
    `${path}/new`,
    `${path}/:id`,
  ]);
  return [...new Set([...own, ...families])];
}

const isListed = (route: string): boolean => {
  const shape = new RegExp(`^${route.replace(/:\w+/g, ":\\w+")}$`);
  return listed.some((path) => shape.test(path));
};

test("every folder of screens is an area", () => {
  expect(areas).toEqual(folders.filter((name) => name !== ""));
});

test.each(areas)("a browser checks every screen of %s", (area) => {
  const routes = readRoutes(area);
  expect(routes).not.toEqual([]);
  expect(routes.filter((route) => !isListed(route))).toEqual([]);
});

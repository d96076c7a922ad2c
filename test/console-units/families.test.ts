import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import endpoints from "../../console/screens/keys/endpoints.json" with { type: "json" };
import { familyScreens } from "../../console/screens/records/family-screens.js";
import openapi from "../../openapi.json" with { type: "json" };

const families = [...new Set(Object.values(openapi.paths).flatMap((calls) => Object.values(calls).flatMap(tagsOf)))].sort();
const areas = globSync("console/screens/*/index.{ts,tsx}", { cwd: `${import.meta.dirname}/../..` });
const texts = areas.map((file) => readFileSync(`${import.meta.dirname}/../../${file}`, "utf8")).join("\n");

function tagsOf(call: unknown): readonly string[] {
  return typeof call === "object" && call !== null && "tags" in call && Array.isArray(call.tags) ? call.tags : [];
}

test("every family of the API has a screen in the console", () => {
  expect(Object.keys(familyScreens).sort()).toEqual(families);
});

const routes = [...texts.matchAll(/(?:path: |familyRoutes\()"(\/[^"]*)"/g)].map(([, path]) => path);

test.for(Object.entries(familyScreens))("the screen of %s is a route of an area", ([, path]) => {
  const list = path.replace(/\/:id$/, "");
  expect(routes.some((route) => route === path || route === list || route?.startsWith(`${list}/`))).toBe(true);
});

// A key may not be granted its own management, and what everybody may call needs no grant.
const ungranted = /^\/(\.well-known|api\/api-key|oauth2)/;

test("the endpoints that a key can be granted are those of the routes", () => {
  const expected: Record<string, string[]> = {};
  for (const [path, calls] of Object.entries(openapi.paths)) {
    const endpoint = path.replace(/\/\{\w+\}/g, "");
    if (ungranted.test(endpoint)) continue;
    expected[endpoint] = [...(expected[endpoint] ?? []), ...Object.keys(calls).map((method) => method.toUpperCase())];
  }
  for (const [endpoint, methods] of Object.entries(expected))
    expect([endpoint, [...new Set(methods)].sort()]).toEqual([endpoint, sorted(endpoint)]);
  expect(Object.keys(endpoints).sort()).toEqual(Object.keys(expected).sort());
});

function sorted(endpoint: string): readonly string[] {
  const known: Readonly<Record<string, readonly string[]>> = endpoints;
  return [...(known[endpoint] ?? [])].sort();
}

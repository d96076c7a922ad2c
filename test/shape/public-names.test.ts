// What a user imports: few names at the root, the rest by subject (docs/architecture.md#map-of-the-rest).
import { expect, test } from "vitest";
import { readEntryPoints } from "../../scripts/measures/public-names.js";
import { root } from "./source-files.js";

const entries = readEntryPoints(root);

test("the package root exports at most 300 names", () => {
  const names = entries.find(({ path }) => path === "src/index.ts")?.names ?? [];
  expect(names).toContain("createIdentityService");
  expect(names.length).toBeLessThanOrEqual(300);
});

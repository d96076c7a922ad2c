// The files whose regions the guides show are run, each from its first line to its last; they hold assertions of their own.
import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { assertLike } from "../../examples/guides/like.js";
import { steps } from "../support/properties.js";
import { root } from "./support/pages.js";

const guides = globSync("examples/guides/*.ts", { cwd: root }).sort();

describe("a file of a guide", () => {
  test.each(steps(guides, 12, 11))("%s runs to its end", async (file) => {
    const log = vi.spyOn(console, "log").mockReturnValue();
    onTestFinished(() => log.mockRestore());
    await expect(import(join(root, file))).resolves.toBeDefined();
  });
});

test("what a guide shows as JSON is compared member by member", () => {
  const shown = { auditLog: expect.anything() };
  expect(() => assertLike(shown, "audit-entry")).toThrow();
  expect(() => assertLike({ fieldErrors: {}, generalErrors: [] }, "error-blank")).toThrow();
  const entry = { code: "[blank]group.name", message: "You must specify the [group.name] property." };
  expect(() => assertLike({ fieldErrors: { "group.name": [entry] }, generalErrors: [] }, "error-blank")).not.toThrow();
  expect(() => assertLike({ fieldErrors: { "group.name": [entry, entry] }, generalErrors: [] }, "error-blank")).toThrow();
});

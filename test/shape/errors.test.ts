// An error code is a public contract: it stands once in the table, it is documented, and what is documented exists.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fieldErrorCodes, generalErrorCodes } from "../../src/errors/codes.js";
import { readSourceFiles, root } from "./source-files.js";

const kinds = [...Object.keys(fieldErrorCodes), ...Object.keys(generalErrorCodes)];
const documented = [...readFileSync(join(root, "docs/errors.md"), "utf8").matchAll(/^\| `\[(\w+)\]/gm)].map((match) => match[1]);

test("every kind of error is documented", () => {
  expect(kinds.filter((kind) => !documented.includes(kind))).toEqual([]);
});

test("every documented kind of error exists", () => {
  expect(documented.filter((kind) => !kinds.includes(kind ?? ""))).toEqual([]);
});

test("every kind of error is used", () => {
  const code = readSourceFiles("src")
    .filter((file) => file.path !== "src/errors/codes.ts")
    .map((file) => file.text)
    .join("\n");
  expect(kinds.filter((kind) => !code.includes(`"${kind}"`))).toEqual([]);
});

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Program, parse } from "acorn";
import { expect, test } from "vitest";

const { bin } = createRequire(import.meta.url)("../../package.json") as { readonly bin: Readonly<Record<string, string>> };

test.each(Object.values(bin))("%s can be read by every Node, which then says which one is needed", (file) => {
  const read = (): Program => parse(readFileSync(file, "utf8"), { ecmaVersion: 5, sourceType: "script", allowHashBang: true });
  expect(read).not.toThrow();
});

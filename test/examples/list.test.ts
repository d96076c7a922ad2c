// examples/README.md lists the examples, and what a page shows of one stands in it. run.ci.test.ts runs them.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../examples");

// An example that has to be scrolled is read by nobody, and one that the list leaves out is found by nobody.
test("each example is short and in the list", async () => {
  const list = await readFile(join(folder, "README.md"), "utf8");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
  expect(names.length).toBeGreaterThanOrEqual(8);
  for (const name of names) {
    expect(list).toContain(`[${name}](${name})`);
    const lines = (await readFile(join(folder, name), "utf8")).trimEnd().split("\n").length;
    if (name !== "server.ts") expect([name, lines <= (name === "accounts.ts" ? 160 : 60)]).toEqual([name, true]);
  }
});

test("what the page on operations shows of a rotation stands in its example", async () => {
  const page = await readFile(join(folder, "../docs/operations.md"), "utf8");
  const example = await readFile(join(folder, "rotate-secrets.ts"), "utf8");
  const shown = /```ts\n(const identity = await start[\s\S]*?)```/.exec(page)?.[1] ?? "not shown";
  expect(example).toContain(shown);
});

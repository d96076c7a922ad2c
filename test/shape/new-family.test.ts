// A family is its records, its rules, and what `families/index.ts` and its area say of it: shown by one that is not there.
import { execFile } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./source-files.js";

const fixtures = join(root, "test/shape/new-family");
let copy = "";
let seen: Record<string, unknown> = {};

/** What the list of the families and that of the area say of the new one: all that stands outside of its folder. */
const listed: readonly (readonly [before: string, line: string])[] = [
  ["import { type GroupOperations", 'import { type GadgetOperations, gadgetFamily } from "../records/gadgets/family.js";'],
  ["  readonly groups: GroupOperations;", "  readonly gadgets: GadgetOperations;"],
  ["  groups: defineFamily(", "  gadgets: defineFamily(gadgetFamily, familyRules.people),"],
];

async function listGadgets(): Promise<void> {
  const list = join(copy, "src/families/index.ts");
  let text = await readFile(list, "utf8");
  for (const [before, line] of listed) {
    expect(text.split(before)).toHaveLength(2);
    text = text.replace(before, `${line}\n${before}`);
  }
  await writeFile(list, text);
  await appendFile(join(copy, "src/people/families.ts"), 'export * as gadgets from "./gadgets/rules.js";\n');
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "latchkey-family-"));
  for (const path of ["src", "adapters", "package.json", "openapi.json", "test/support/client-table.ts", "test/shape/new-family"])
    await cp(join(root, path), join(copy, path), { recursive: true });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  const places = { "family.ts": "src/records/gadgets", "schema.ts": "src/records/gadgets", "rules.ts": "src/people/gadgets" };
  for (const [file, folder] of Object.entries(places)) {
    await mkdir(join(copy, folder), { recursive: true });
    const text = (await readFile(join(fixtures, file), "utf8")).replaceAll("../../../src/", "../../");
    const rows = file === "rules.ts" ? text.replaceAll(/"\.\/(family|schema)\.js"/g, '"../../records/gadgets/$1.js"') : text;
    await writeFile(join(copy, folder, file), rows);
  }
  await listGadgets();
  const run = promisify(execFile)(process.execPath, ["--import", "./resolve.ts", "./try-gadgets.ts"], {
    cwd: join(copy, "test/shape/new-family"),
  });
  seen = JSON.parse((await run).stdout) as typeof seen;
});

afterAll(() => rm(copy, { recursive: true, force: true }));

test("a family that the list names has calls in process, routes and a search", () => {
  const { created, found, inProcess, refused, statuses } = seen;
  expect(inProcess).toEqual(created);
  expect(statuses).toEqual([200, 400, 200, 404]);
  expect(found).toMatchObject({ total: 1, gadgets: [{ name: "Changed" }] });
  expect(refused).toMatchObject({ fieldErrors: { "gadget.name": [{ code: "[duplicate]gadget.name" }] } });
});

test("a family that the list names has entries in the audit log, a place in configurations, and sealed fields", () => {
  const { audited, configured, sealed } = seen;
  expect(audited).toHaveLength(2);
  expect(configured).toMatchObject([{ name: "Changed" }]);
  expect(sealed).toEqual({ sealed: 1, resealed: 0, left: 0 });
});

test("a family that the list names has routes for the description, calls of the client, and a factory", () => {
  const { client, created, routes } = seen;
  expect(routes).toContain("PATCH /api/gadget/:gadgetId");
  expect(routes).toHaveLength(12);
  expect(client).toEqual([true, true]);
  expect(created).toMatchObject({ name: "Gadget 1", pin: "1234" });
});

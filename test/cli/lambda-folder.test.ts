import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigDocument } from "latchkey";
import { beforeEach, expect, test } from "vitest";
import { writeFolder } from "../../adapters/cli/lambdas/lambda-folder.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-folder-"));
  return () => rmSync(folder, { recursive: true });
});

/** A lambda as an export has it: with its id where the name does not say which it is. */
interface Exported {
  readonly id?: string;
  readonly name: string;
  readonly body: string;
}

const documentOf = (lambdas: readonly object[]): ConfigDocument =>
  ({ formatVersion: 1, lambdas: lambdas.map((one) => ({ type: "JWTPopulate", ...one })) }) as ConfigDocument;

const pull = (...lambdas: readonly Exported[]): readonly string[] =>
  writeFolder({ name: folder, path: folder }, documentOf(lambdas));

const read = (name: string): string => readFileSync(join(folder, name), "utf8");

/** Writes a file, or the document with a file for each lambda. */
const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const putDocument = (...records: readonly (readonly [name: string, file: string, id?: string])[]): void =>
  put("lambdas.json", JSON.stringify(documentOf(records.map(([name, $file, id]) => ({ id, name, body: { $file } })))));

/** What a push would store of each lambda: the texts of the files that the document names. */
const bodies = (): readonly (readonly [string, string])[] =>
  JSON.parse(read("lambdas.json")).lambdas.map(({ name, body }: { name: string; body: { $file: string } }) => [
    name,
    read(body.$file),
  ]);

const files = (): readonly string[] =>
  JSON.parse(read("lambdas.json")).lambdas.map(({ body }: { body: { $file: string } }) => body.$file);

const one = { id: "00000000-0000-4000-8000-000000000001", name: "X", body: "one" };
const two = { id: "00000000-0000-4000-8000-000000000002", name: "X", body: "two" };

test("lambdas of the same name keep a file each, however often they are pulled", () => {
  expect(pull(one, two)).toEqual(["x.js", "x-2.js", "lambdas.json"]);
  expect(pull(one, two)).toEqual([]);
  expect(bodies()).toEqual([
    ["X", "one"],
    ["X", "two"],
  ]);
  expect(pull(two, one)).toEqual(["lambdas.json"]);
  expect(files()).toEqual(["x-2.js", "x.js"]);
  expect(pull(one, { ...two, body: "three" })).toEqual(["x-2.js", "lambdas.json"]);
  expect(read("x.js")).toBe("one");
});

test("a name that becomes ambiguous, or unique again, keeps the file of its body", () => {
  pull({ name: "X", body: "one" });
  pull({ ...two }, { ...one });
  expect(files()).toEqual(["x-2.js", "x.js"]);
  pull({ name: "X", body: "two" });
  expect(files()).toEqual(["x-2.js"]);
  expect(read("x.js")).toBe("one");
});

test("lambdas that a document gives one file get one each", () => {
  put("same.js", "two");
  putDocument(["A", "same.js"], ["B", "./same.js"]);
  pull({ name: "A", body: "one" }, { name: "B", body: "two" });
  expect(bodies()).toEqual([
    ["A", "one"],
    ["B", "two"],
  ]);
  expect(read("same.js")).toBe("two");
});

test("files whose names differ in case alone are the same", () => {
  put("Plan.js", "plan");
  putDocument(["Plan", "Plan.js"], ["Other", "plan.js"]);
  pull({ name: "Other", body: "other" }, { name: "Plan", body: "plan" }, { ...one, name: "plan", body: "low" });
  expect(new Set(files().map((file) => file.toLowerCase())).size).toBe(3);
  expect(bodies().map(([, body]) => body)).toEqual(["other", "plan", "low"]);
});

test("a new lambda does not take the file of one that comes behind it", () => {
  putDocument(["Late", "early.js"]);
  pull({ name: "Early", body: "early" }, { name: "Late", body: "late" });
  expect(files()).toEqual(["early-2.js", "early.js"]);
});

test("a file that no record names is not replaced", () => {
  put("helper.js", "my unsaved work");
  put("plan.ts", "const a: number = 1;");
  put("plan.js", "compiled");
  put("Upper.js", "mine");
  putDocument(["Plan", "plan.ts"], ["Local", "local.js"]);
  put("local.js", "not pushed yet");
  pull(...["Helper", "Plan", "Upper", "Local 2"].map((name) => ({ name, body: "stored" })), { name: "local.", body: "b" });
  expect(files()).toEqual(["helper-2.js", "plan-2.js", "upper-2.js", "local-2.js", "local-3.js"]);
  const kept = ["helper.js", "plan.ts", "plan.js", "Upper.js", "local.js"].map(read);
  expect(kept).toEqual(["my unsaved work", "const a: number = 1;", "compiled", "mine", "not pushed yet"]);
});

test("a file that no record names is used when it has the body already", () => {
  put("plan.js", "stored");
  expect(pull({ name: "Plan", body: "stored" })).toEqual(["lambdas.json"]);
  expect(files()).toEqual(["plan.js"]);
});

test("a file that is more than types in TypeScript is another text", () => {
  put("plan.ts", "enum Color { red }");
  putDocument(["Plan", "plan.ts"]);
  pull({ name: "Plan", body: "stored" });
  expect(files()).toEqual(["plan.js"]);
});

test.each([
  ["above the folder", "../outside.js"],
  ["above the folder, in a detour", "a/../../outside.js"],
  ["absolute", "/tmp/outside.js"],
  ["absolute inside", "INSIDE"],
  ["absolute on Windows", "C:\\outside.js"],
  ["behind a link to a folder", "away/outside.js"],
  ["behind a link to a file", "link.js"],
  ["behind a link to what is not there", "dangling.js"],
  ["behind a link to another kind of file", "settings.js"],
  ["a folder", "folder.js"],
  ["the folder itself", ""],
  ["the document", "lambdas.json"],
  ["the document in capitals", "Lambdas.JSON"],
  ["the cases", "lambdas.test.json"],
  ["a secret", ".env"],
  ["no path at all", "a\0.js"],
])("a document cannot name a file that is %s", (_what, file) => {
  const outside = mkdtempSync(join(tmpdir(), "latchkey-outside-"));
  writeFileSync(join(outside, "outside.js"), "outside");
  symlinkSync(outside, join(folder, "away"));
  symlinkSync(join(outside, "outside.js"), join(folder, "link.js"));
  symlinkSync(join(outside, "new.js"), join(folder, "dangling.js"));
  put("package.json", "{}");
  symlinkSync("package.json", join(folder, "settings.js"));
  mkdirSync(join(folder, "folder.js"));
  putDocument(["Fine", "fine.js"], ["Plan", file === "INSIDE" ? join(folder, "inside.js") : file]);
  const before = readdirSync(folder);
  expect(() => pull({ name: "Plan", body: "stored" })).toThrow(
    /lambdas\[1\] \(Plan\) names the file .* Name a file inside of the folder/,
  );
  expect(readdirSync(folder)).toEqual(before);
  expect(readdirSync(outside)).toEqual(["outside.js"]);
  expect(readFileSync(join(outside, "outside.js"), "utf8")).toBe("outside");
  rmSync(outside, { recursive: true });
});

test("links within the folder stay, and lead to the body", () => {
  mkdirSync(join(folder, "bodies"));
  put("bodies/plan.js", "old");
  symlinkSync("bodies/plan.js", join(folder, "plan.js"));
  putDocument(["Plan", "plan.js"], ["Other", "bodies/plan.js"], ["New", "new/new.js"]);
  pull({ name: "Plan", body: "new" }, { name: "Other", body: "other" }, { name: "New", body: "made" });
  expect(files()).toEqual(["plan.js", "other.js", "new/new.js"]);
  expect([read("bodies/plan.js"), read("new/new.js")]).toEqual(["new", "made"]);
});

test("new names fit file systems", () => {
  const names = ["漢".repeat(150), "漢".repeat(150), "con", "COM1", "..", "", "🙂", "../up", ".hidden", `${"a".repeat(199)}-b`];
  pull(...names.map((name, index) => ({ name, body: `${index}` })));
  const long = "漢".repeat(66);
  expect(files()).toEqual([
    ...[`${long}.js`, `${long}-2.js`, "lambda-con.js", "lambda-com1.js", "lambda.js", "lambda-2.js", "lambda-3.js"],
    ...["up.js", "hidden.js", `${"a".repeat(199)}.js`],
  ]);
});

test("a failure changes no file", () => {
  put("a.js", "old");
  putDocument(["A", "a.js"]);
  const before = read("lambdas.json");
  // The second body cannot be written, once the first one was.
  const document = documentOf([
    { name: "A", body: "new" },
    { name: "B", body: Symbol("no text") },
  ]);
  expect(() => writeFolder({ name: folder, path: folder }, document)).toThrow();
  expect([read("a.js"), read("lambdas.json")]).toEqual(["old", before]);
  expect(readdirSync(folder).sort()).toEqual(["a.js", "lambdas.json"]);
});

test("a document keeps its schema, and a file its mode", () => {
  writeFileSync(join(folder, "a.js"), "old", { mode: 0o600 });
  put("lambdas.json", JSON.stringify({ ...documentOf([{ name: "A", body: { $file: "a.js" } }]), $schema: "./schema.json" }));
  pull({ name: "A", body: "new" });
  expect(JSON.parse(read("lambdas.json"))).toMatchObject({ $schema: "./schema.json", formatVersion: 1 });
  expect(statSync(join(folder, "a.js")).mode & 0o777).toBe(0o600);
});

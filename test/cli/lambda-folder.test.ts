import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

const pull = (...lambdas: readonly Exported[]): readonly string[] => writeFolder(folder, documentOf(lambdas));

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

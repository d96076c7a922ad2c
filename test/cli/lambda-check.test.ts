import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigDocument } from "latchkey";
import { createLambdaHarness, type LambdaHarness } from "latchkey/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandCall } from "../../adapters/cli/command/command.js";
import { checkDocument } from "../../adapters/cli/lambdas/check-document.js";
import { tryFolder } from "../../adapters/cli/lambdas/try-folder.js";
import { lambdaTypeNames } from "../../src/availability/lambda-types.js";
import { makeTerminal } from "./support.js";

const ignore = (): void => undefined;
const call: CommandCall = {
  terminal: makeTerminal(),
  positionals: [],
  text: ignore as CommandCall["text"],
  list: ignore as CommandCall["list"],
  flag: () => false,
};

const check = (lambdas: unknown, others: object = { formatVersion: 1 }): Promise<void> =>
  checkDocument(call, { document: { ...others, lambdas } as ConfigDocument, locate: (path) => path });

let harness: LambdaHarness;
let folder: string;
beforeAll(async () => {
  harness = await createLambdaHarness();
  folder = mkdtempSync(join(tmpdir(), "latchkey-check-"));
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});

const plan = { name: "Plan", type: "JWTPopulate", body: "function populate() {}" };
const text = { name: "Text", type: "Module", body: "exports.a = 1;" };

test.each<readonly [string, unknown, RegExp, object?]>([
  ["no list", { a: 1 }, /^lambdas: The \[lambdas\] must be a list\.$/],
  ["no record", [plan, null], /^lambdas\[1\]: The \[lambdas\[1\]\] must be an object\.$/],
  ["no body", [{ ...plan, body: undefined }], /^lambdas\[0\]\.body \(Plan\): /],
  ["an empty body", [{ ...plan, body: "" }], /^lambdas\[0\]\.body \(Plan\): /],
  ["a body that is no text", [{ ...plan, body: 7 }], /^lambdas\[0\]\.body \(Plan\): /],
  ["an unknown type", [{ ...plan, type: "Nope" }], /^lambdas\[0\]\.type \(Plan\): /],
  ["a type of every object", [{ ...plan, type: "constructor" }], /^lambdas\[0\]\.type \(Plan\): /],
  ["no type", [{ ...plan, type: undefined }], /^lambdas\[0\]\.type \(Plan\): /],
  ["no name", [{ ...plan, name: undefined }], /^lambdas\[0\]\.name: /],
  ["an unknown member", [{ ...plan, bodi: "" }], /^lambdas\[0\]\.bodi \(Plan\): .*Did you mean body\?/],
  ["no list of modules", [{ ...plan, modules: 5 }], /^lambdas\[0\]\.modules \(Plan\): /],
  ["no module", [{ ...plan, modules: [null] }], /^lambdas\[0\]\.modules\[0\] \(Plan\): /],
  [
    "a module without a name",
    [{ ...plan, modules: [{ lambdaId: "Text" }] }, text],
    /^lambdas\[0\]\.modules\[0\]\.name \(Plan\): /,
  ],
  ["a module that is none", [plan, { ...plan, name: "B", modules: [{ name: "a", lambdaId: "Plan" }] }], /^lambdas\[1\]\.modules/],
  ["no list of a chain", [{ ...plan, chain: 5 }], /^lambdas\[0\]\.chain \(Plan\): /],
  ["no rollout", [{ ...plan, rollout: 5 }], /^lambdas\[0\]\.rollout \(Plan\): /],
  ["no version of its form", [plan], /^formatVersion: /, {}],
])("a document with %s is refused by its record", async (_what, lambdas, message, others = { formatVersion: 1 }) => {
  await expect(check(lambdas, others as object)).rejects.toThrow(message);
});

test("a document may name what only a service has, and scripts that fail", async () => {
  const modules = [
    { name: "text", lambdaId: "Text", version: 3 },
    { name: "other", lambdaId: "Text", version: `sha256:${"0".repeat(64)}` },
    { name: "stored", lambdaId: "Stored module" },
  ];
  const record = { ...plan, modules, chain: ["Stored", "Other"], rollout: { percent: 10, version: 7 } };
  await check([record, text, { ...plan, name: "Other", body: "function (" }]);
});

test("every type of the wire is accepted, and runs", async () => {
  const lambdas = lambdaTypeNames.map((type) => ({ name: type, type, body: "function none() {}" }));
  await check(lambdas);
  const results = await tryFolder({ name: folder, path: folder }, { formatVersion: 1, lambdas }, harness);
  expect(results.map(({ fault }) => fault?.slice(0, 34))).toEqual(
    lambdaTypeNames.map(() => "The run ended with missingFunction"),
  );
});

// openapi.json is built from the routes and the types of their operations before the tests run. What changes in it is seen in operations.txt:
// `npm run openapi` accepts it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { visit } from "../../scripts/openapi/json-schema.js";
import { plans } from "../../src/availability/availability.js";
import { routes } from "../../src/families/index.js";
import { narrowDocument } from "../../src/system/openapi-document.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";

const names = { service: "Service", moderation: "moderation", broker: "broker", sms: "sms" };
const versions = ["1.0.0", "1.25.0", "1.26.0", "1.44.0", "1.65.0"];

requirement("openapi.derived", "what the routes and the types say changes with operations.txt alone", async () => {
  const lines = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => `${method.toUpperCase()} ${path} ${one.operationId} ${digestOf(one)}\n`),
  );
  await expect(lines.join("")).toMatchFileSnapshot("operations.txt");
});

requirement("in-process.unknown", "known-members.json says what the types of the operations say", async () => {
  const known = readFileSync(join(import.meta.dirname, "../../temp/known-members.json"), "utf8");
  await expect(known).toMatchFileSnapshot("../../src/operations/family/known-members.json");
});

/** A short digest of an operation and of all components that it refers to, without their prose. */
function digestOf(operation: object): string {
  const parts = new Map<string, unknown>([["", operation]]);
  for (const part of parts.values()) for (const ref of refsOf(part)) if (!parts.has(ref)) parts.set(ref, find(ref));
  const text = [...parts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => name + JSON.stringify(part, withoutProse));
  return createHash("sha256").update(text.join("\n")).digest("hex").slice(0, 10);
}

// A member of a schema can be called as prose is, and is an object then.
function withoutProse(key: string, value: unknown): unknown {
  return key === "example" || (typeof value === "string" && (key === "description" || key === "summary")) ? undefined : value;
}

requirement("openapi.routes", "every route is in the document, and nothing else", () => {
  const said = Object.entries(document.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
  const known = routes.map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`);
  expect(said.sort()).toEqual(known.sort());
});

requirement("openapi.valid", "the document of every version and plan is valid", async () => {
  const all = versions.flatMap((version) => plans.map((plan) => ({ version, plan, names })));
  const validator = new Validator();
  for (const one of [document, ...steps(all, 24, 5).map((service) => narrowDocument(document, service))]) {
    const { valid, errors } = await validator.validate(structuredClone(one));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  }
});

requirement("openapi.valid", "a document of any version contains each referenced component, and uses each one", () => {
  for (const version of steps(versions, 6, 2)) expectWhole(narrowDocument(document, { version, plan: "enterprise", names }));
  const refs = refsOf(document);
  const schemas = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  expect(schemas.filter((name) => !refs.has(name))).toEqual([]);
});

function expectWhole(api: object): void {
  for (const ref of refsOf(api)) expect({ ref, found: typeof find(ref, api) }).toEqual({ ref, found: "object" });
}

function find(ref: string, api: object = document): unknown {
  const names = ref.slice(2).split("/");
  return names.reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], api);
}

function refsOf(api: unknown): Set<string> {
  const refs = new Set<string>();
  visit(api, ({ $ref }) => {
    if (typeof $ref === "string") refs.add($ref);
  });
  return refs;
}

// openapi.json describes all routes, and so does what a service makes of it. document.ci.test.ts compares it with the types.
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { plans } from "../../src/availability/availability.js";
import { routes } from "../../src/resources/index.js";
import { narrowDocument } from "../../src/resources/system/openapi-document.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { visit } from "./json-schema.js";

const names = { service: "Service", moderation: "moderation", broker: "broker", sms: "sms" };
const versions = ["1.0.0", "1.25.0", "1.26.0", "1.44.0", "1.65.0"];

requirement("openapi.routes", "every route is in the document, and nothing else", () => {
  const said = Object.entries(document.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
  const known = routes.map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`);
  expect(said.sort()).toEqual(known.sort());
});

requirement("openapi.valid", "the document of every version and plan is valid", async () => {
  const all = versions.flatMap((version) => plans.map((plan) => ({ version, plan, names })));
  const validator = new Validator();
  for (const one of [document, ...steps(all, 12, 5).map((service) => narrowDocument(document, service))]) {
    const { valid, errors } = await validator.validate(structuredClone(one));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  }
});

requirement("openapi.valid", "a document of any version contains each referenced component, and uses each one", () => {
  for (const version of steps(versions, 3, 2)) expectWhole(narrowDocument(document, { version, plan: "enterprise", names }));
  const refs = refsOf(document);
  const schemas = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  expect(schemas.filter((name) => !refs.has(name))).toEqual([]);
});

function expectWhole(api: object): void {
  for (const ref of refsOf(api)) {
    const found = ref
      .slice(2)
      .split("/")
      .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], api);
    expect({ ref, found: typeof found }).toEqual({ ref, found: "object" });
  }
}

function refsOf(api: object): Set<string> {
  const refs = new Set<string>();
  visit(api, ({ $ref }) => {
    if (typeof $ref === "string") refs.add($ref);
  });
  return refs;
}

import { expect } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { visit } from "../../scripts/openapi/json-schema.js";
import { type DocumentPart, type DocumentSettings, narrowDocument } from "../../src/system/openapi-document.js";
import { requirement } from "../support/requirement.js";

const names = { service: "Service", moderation: "moderation", broker: "broker", sms: "sms" };
const newest: DocumentSettings = { version: "1.65.0", plan: "enterprise", names };

const narrowed = new Map<string, DocumentPart>();

/** The document of some settings, made once. */
function narrowTo(settings: DocumentSettings): DocumentPart {
  const key = JSON.stringify(settings);
  const made = narrowed.get(key) ?? narrowDocument(document, settings);
  narrowed.set(key, made);
  return made;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => (part as DocumentPart | undefined)?.[name], value);
}

const propertiesOf = (settings: DocumentSettings, name: string): string[] =>
  Object.keys(at(narrowTo(settings), "components", "schemas", name, "properties") as object);

requirement("openapi.version", "a path is there from its version on", () => {
  const of = (version: string): unknown => at(narrowTo({ ...newest, version }), "paths", "/api/group/search");
  expect([of("1.44.9"), of("1.45.0")]).toEqual([undefined, expect.any(Object)]);
});

requirement("openapi.version", "a method is there from its version on, and others are there before", () => {
  const of = (version: string): string[] =>
    Object.keys(at(narrowTo({ ...newest, version }), "paths", "/api/group/member") as object);
  expect([of("1.35.9").includes("put"), of("1.35.9").includes("post"), of("1.36.0").includes("put")]).toEqual([
    false,
    true,
    true,
  ]);
});

requirement("openapi.version", "a field is there from its version on, or until it", () => {
  expect(propertiesOf({ ...newest, version: "1.36.0" }, "Webhook")).toEqual(expect.arrayContaining(["applicationIds", "data"]));
  expect(propertiesOf({ ...newest, version: "1.36.0" }, "Webhook")).not.toContain("tenantIds");
  expect(propertiesOf(newest, "Webhook")).toContain("tenantIds");
  expect(propertiesOf(newest, "Webhook")).not.toContain("applicationIds");
  expect(propertiesOf({ ...newest, version: "1.14.0" }, "Webhook")).not.toContain("data");
});

requirement("openapi.version", "what must be there is there", () => {
  for (const version of ["1.0.0", "1.30.0", "1.65.0"])
    visit(narrowTo({ ...newest, version }), ({ properties, required }) => {
      if (Array.isArray(required) && properties !== undefined)
        expect(required.filter((name) => at(properties, String(name)) === undefined)).toEqual([]);
    });
});

requirement("openapi.version", "a value is there in its versions and plans", () => {
  const of = (settings: Partial<DocumentSettings>, name: string): unknown =>
    at(narrowTo({ ...newest, ...settings }), "components", "schemas", name, "enum");
  expect(of({}, "LambdaType")).toEqual(expect.arrayContaining(["JWTPopulate", "MFARequirement"]));
  expect(of({ plan: "essentials" }, "LambdaType")).not.toContain("MFARequirement");
  expect(of({ version: "1.17.0" }, "LambdaType")).not.toContain("MFARequirement");
  expect(of({ version: "1.58.0" }, "FormFieldType")).not.toContain("phoneNumber");
  expect(of({}, "FormFieldType")).toContain("phoneNumber");
});

requirement("openapi.version", "what a plan does not include can be read and not be changed", () => {
  const of = (plan: DocumentSettings["plan"]): string[] =>
    Object.keys(at(narrowTo({ ...newest, plan }), "paths", "/api/entity/{entityId}") as object);
  expect(of("community")).toEqual(["get", "delete"]);
  expect(of("starter").sort()).toEqual(["delete", "get", "patch", "post", "put"]);
  expect(propertiesOf({ ...newest, plan: "essentials" }, "ApiKey")).not.toContain("ipAccessControlListId");
});

requirement("openapi.version", "patch documents and schemes are there from their versions on", () => {
  const content = (version: string): string[] => {
    const api = narrowTo({ ...newest, version });
    return Object.keys(at(api, "paths", "/api/group/{groupId}", "patch", "requestBody", "content") as object);
  };
  expect([content("1.38.0").length, content("1.39.0").length]).toEqual([1, 3]);
  const api = narrowTo({ ...newest, version: "1.26.0" });
  expect(at(api, "components", "securitySchemes")).not.toHaveProperty("basic");
  expect(at(api, "security")).toEqual([{ apiKey: [] }, { bearer: [] }]);
});

requirement("openapi.names", "a host's words stand for the neutral ones, in requests, answers and patches", () => {
  const settings = { ...newest, version: "1.25.0", names: { service: "Acme", moderation: "guard", broker: "bus", sms: "texts" } };
  for (const name of ["Integrations", "IntegrationPatch"]) {
    const [schema] = name === "Integrations" ? [propertiesOf(settings, name)] : [patchOf(settings)];
    expect(schema).toEqual(expect.arrayContaining(["guard", "bus", "texts"]));
    expect(schema).not.toEqual(expect.arrayContaining(["broker"]));
  }
  const api = narrowTo(settings);
  expect(at(api, "components", "parameters", "TenantHeader", "name")).toBe("X-Acme-TenantId");
  expect(at(api, "components", "schemas", "Integrations", "required")).toEqual(["guard", "bus"]);
});

function patchOf(settings: DocumentSettings): string[] {
  const patch = at(narrowTo(settings), "components", "schemas", "IntegrationPatch");
  return Object.keys(at(patch, "properties", "integrations", "properties") as object);
}

requirement("openapi.version", "a document of one version has no marks", () => {
  const marks = JSON.stringify(narrowTo(newest)).match(/"x-(since|until|plan|name|values)"/g);
  expect(marks).toBeNull();
});

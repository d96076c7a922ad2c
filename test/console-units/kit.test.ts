import { expect, test } from "vitest";
import { tenantPaths } from "../../console/app/tenant-paths.js";
import { familyOfMember } from "../../console/kit/record-form/member-families.js";
import { differences, pick, setAt, toMergePatch } from "../../console/kit/record-form/merge-patch.js";
import { parseMetrics, sumOf } from "../../console/screens/overview/metrics.js";
import { toQueryString } from "../../console/screens/users/query.js";
import openapi from "../../openapi.json" with { type: "json" };

test("the console binds to its tenant only calls that a tenant has", () => {
  const wrong = Object.entries(openapi.paths).flatMap(([path, calls]) => {
    const url = path.replace(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000");
    if (!tenantPaths.test(url)) return [];
    return Object.entries(calls).flatMap(([method, call]) =>
      JSON.stringify(call).includes("/parameters/TenantHeader") ? [] : [`${method} ${path}`],
    );
  });
  expect(wrong).toEqual([]);
});

test("a merge patch has what changed, and null for what is gone", () => {
  const base = { name: "A", data: { color: "red", size: 1 }, roles: ["a"], flag: false };
  expect(toMergePatch(base, { name: "A", data: { color: "blue" }, roles: [], flag: false })).toEqual({
    data: { color: "blue", size: null },
    roles: [],
  });
  expect(toMergePatch(base, structuredClone(base))).toBeUndefined();
  expect(setAt(base, "data.size", undefined)).toEqual({ ...base, data: { color: "red" } });
  expect(pick(base, ["name", "data.size", "none"])).toEqual({ name: "A", data: { size: 1 } });
  expect(differences(base, { ...base, data: { color: "red" } })).toEqual([{ path: "data.size", before: 1, after: undefined }]);
});

test("members name the family that they refer to", () => {
  const members = ["verificationEmailTemplateId", "applicationId", "signingKeyId", "name", "loginValidationId", "connectorId"];
  expect(members.map(familyOfMember)).toEqual(["emailTemplate", "application", "key", undefined, "lambda", "connector"]);
  expect(familyOfMember("identityProviderId")).toBe("identityProvider");
});

test("what is typed is a query: the grammar as it is, else the start of a name; quotes end nothing", () => {
  expect(toQueryString("", {})).toBe("*");
  expect(toQueryString("email:a*", { active: "true" })).toBe('(email:a*) AND active:"true"');
  expect(toQueryString("ada", {})).toContain('fullName:"ada*" OR');
  expect(toQueryString("", { application: '" OR *' })).toBe('registrations.applicationId:" OR *"');
});

test("metrics are read by name and label", () => {
  const samples = parseMetrics('# TYPE a counter\na{route="/api/login",status="404"} 2\na{route="x"} 5\nb 1.5\n');
  expect([sumOf(samples, "a"), sumOf(samples, "a", ({ status }) => status === "404"), sumOf(samples, "b")]).toEqual([7, 2, 1.5]);
});

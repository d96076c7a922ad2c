import { expect, test } from "vitest";
import { completeMembers } from "../../console/kit/code-field/member-completion.js";
import members from "../../console/screens/lambdas/members.json" with { type: "json" };

const { globals, parameters, types } = members;
const table = { functionName: "populate", parameters: parameters.JWTPopulate, globals, types };
const labels = (body: string): readonly string[] => completeMembers(body, table)?.options.map(({ label }) => label) ?? [];

test("names in sight are the parameters as the author calls them, and what every body sees", () => {
  expect(labels("function populate(token, person) {\n  ")).toEqual(
    expect.arrayContaining(["token", "person", "registration", "context", "console", "fetch"]),
  );
  expect(labels("function populate(token, person) {\n  ")).not.toContain("jwt");
});

test("members are those of the type before the dot, through members, lists and optional chains", () => {
  expect(labels("function populate(jwt, user) { user.")).toContain("preferredLanguages");
  expect(labels("function populate(jwt, person) { person?.em")).toContain("email");
  expect(labels("function populate(jwt, user) { user.registrations[0].")).toContain("applicationId");
  expect(labels("console.")).toContain("info");
});

test("a text and an unknown name have no members", () => {
  expect(labels('"user.')).toEqual([]);
  expect(labels("constructor.")).toEqual([]);
});

// The table of completion is written from the types: `npx vitest run test/console-units/lambda-members -u` writes it again.
import { expect, test } from "vitest";
import { completeMembers } from "../../console/kit/code-field/member-completion.js";
import members from "../../console/screens/lambdas/members.json" with { type: "json" };
import { readLambdaMembers } from "../../scripts/lambda-members.js";

test("the table of completion says what adapters/lambdas says", async () => {
  await expect(`${JSON.stringify(readLambdaMembers())}\n`).toMatchFileSnapshot("../../console/screens/lambdas/members.json");
});

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

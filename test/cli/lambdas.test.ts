import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createIdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";
import { beforeEach, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { makeMigrated, runnerIn } from "./support.js";

const root = join(import.meta.dirname, "../..");
let directory: string;
const run = runnerIn(() => directory);

beforeEach(async () => {
  directory = await makeMigrated();
  await cp(join(root, "examples/lambda-folder"), join(directory, "examples/lambda-folder"), { recursive: true });
  return () => rm(directory, { recursive: true });
});

const folder = "examples/lambda-folder";

/** Runs lambdas of the database that the commands are about. */
async function runStored(name: string, given: object): Promise<unknown> {
  const file = join(directory, "latchkey.db");
  const secret = (await readFile(`${file}.secret`, "utf8")).trim();
  const identity = await createIdentityService({ storage: sqliteStorage({ filename: file }), secret, delivery: false });
  const { lambdas } = await identity.lambdas.list({});
  const id = lambdas.find((lambda) => lambda.name === name)?.id ?? "";
  const { jwt } = (await identity.lambdas.run(id, given)) as { readonly jwt: unknown };
  await identity.close();
  return jwt;
}

requirement("cli.lambdas", "push stores what pull writes, and the same files change nothing", async () => {
  expect(await run(["lambdas", "push", folder, "--dry-run"])).toMatchObject({
    code: 0,
    printed: expect.stringContaining("3 to create"),
  });
  expect((await run(["lambdas", "push", folder])).printed).toContain("3 created");
  expect((await run(["lambdas", "push", folder])).printed).toContain("Nothing to change.");
  const user = { id: "00000000-0000-4000-8000-000000000001", data: { department: "Research Lab" } };
  expect(await runStored("Department", { jwt: {}, user })).toEqual({ department: "research-lab", plan: "gold" });

  expect((await run(["lambdas", "pull", folder])).printed).toBe(`${join(folder, "lambdas.json")}\n`);
  expect(await run(["lambdas", "pull", folder])).toMatchObject({ code: 0, printed: "" });
  expect((await run(["lambdas", "push", folder])).printed).toContain("Nothing to change.");
  expect(await readFile(join(directory, folder, "department.ts"), "utf8")).toContain("import type");
  expect((await run(["lambdas", "pull", "fresh"])).code).toBe(0);
  expect((await readdir(join(directory, "fresh"))).sort()).toEqual(["department.js", "lambdas.json", "plan.js", "text.js"]);
  expect((await run(["lambdas", "push", "fresh"])).printed).toContain("Nothing to change.");

  const logged = await run(["lambdas", "logs", "--lines", "5"]);
  expect(logged.printed).toMatch(
    /^\S+Z Information Lambda Department \([\da-f-]{36}, JWTPopulate\)\n {4}department research-lab\n$/,
  );
  expect((await run(["lambdas", "logs", "--lambda", "Plan"])).printed).toBe("");
  expect(JSON.parse((await run(["lambdas", "logs", "--json"])).printed)).toMatchObject({ type: "Information" });
});

requirement("cli.lambdas", "lambdas of the same name stay apart, however often they are pulled and pushed", async () => {
  const lambdas = [1, 2].map((n) => {
    const body = `function populate(jwt) { jwt.n = ${n}; }`;
    return { id: `00000000-0000-4000-8000-00000000000${n}`, name: "X", type: "JWTPopulate", body };
  });
  await mkdir(join(directory, "twins"));
  await writeFile(join(directory, "twins", "lambdas.json"), JSON.stringify({ formatVersion: 1, lambdas }));
  expect((await run(["lambdas", "push", "twins"])).printed).toContain("2 created");
  await run(["lambdas", "pull", "pulled"]);
  expect(await run(["lambdas", "pull", "pulled"])).toMatchObject({ code: 0, printed: "" });
  expect((await run(["lambdas", "push", "pulled"])).printed).toContain("Nothing to change.");
});

requirement("cli.lambdas", "a folder reaches neither files outside of it nor other families", async () => {
  await mkdir(join(directory, "foreign"));
  await writeFile(join(directory, "secret.js"), "secret");
  const lambda = { name: "Plan", type: "JWTPopulate", body: { $file: "../secret.js" } };
  const refusals = [
    [{ lambdas: [lambda] }, 'foreign/lambdas.json: lambdas[0] (Plan) names the file "../secret.js". Name a file inside'],
    [{ lambdas: [{ ...lambda, name: { $file: "../secret.js" } }] }, 'lambdas[0] names the file "../secret.js"'],
    [
      { lambdas: [], tenants: [{ name: "Evil" }] },
      "foreign/lambdas.json has tenants. The document of a folder has formatVersion,",
    ],
    [{ changes: [], document: { formatVersion: 1, tenants: [{ name: "Evil" }] } }, "has changes, document."],
  ] as const;
  for (const [members, message] of refusals) {
    const document = JSON.stringify({ formatVersion: 1, ...members });
    await writeFile(join(directory, "foreign", "lambdas.json"), document);
    for (const verb of ["push", "pull", "test"]) {
      const { code, said } = await run(["lambdas", verb, "foreign"]);
      expect([code, said]).toEqual([1, expect.stringContaining(message)]);
    }
    expect(await readFile(join(directory, "foreign", "lambdas.json"), "utf8")).toBe(document);
  }
  expect(await readFile(join(directory, "secret.js"), "utf8")).toBe("secret");
});

requirement("cli.lambdas", "test names the case that fails, and ends with 1", async () => {
  const cases = [
    { lambda: "Plan", name: "is gold", arguments: { jwt: { department: "research-lab" } }, expect: { jwt: { plan: "gold" } } },
    { lambda: "Plan", name: "is silver", expect: { jwt: { plan: "silver" } } },
    { lambda: "Department", name: "throws", outcome: "threw" },
  ];
  await writeFile(join(directory, folder, "lambdas.test.json"), JSON.stringify(cases));
  const ended = await run(["lambdas", "test", folder]);
  expect(ended.code).toBe(1);
  expect(ended.printed).toContain("ok      Plan: is gold");
  expect(ended.printed).toContain('fail    Plan: is silver\n        arguments.jwt.plan is "free", and not "silver".');
  expect(ended.printed).toContain("fail    Department: throws\n        The run ended with ok.");
  expect(ended.printed).toContain("1 passed, 2 failed");
});

requirement("cli.lambdas", "test runs lambdas of each name of a type, and refuses others", async () => {
  await mkdir(join(directory, "types"));
  const runAs = async (type: string): ReturnType<typeof run> => {
    const lambdas = [{ name: "Titles", type, body: "function convert(scimUser) { scimUser.title = 'Editor'; }" }];
    await writeFile(join(directory, "types", "lambdas.json"), JSON.stringify({ formatVersion: 1, lambdas }));
    return run(["lambdas", "test", "types"]);
  };
  for (const type of ["SCIMUserResponseConverter", "SCIMServerUserResponseConverter"])
    expect((await runAs(type)).printed).toContain("1 passed, 0 failed");
  for (const type of ["SCIMServerUser", "toString"]) {
    const { code, said } = await runAs(type);
    expect([code, said]).toEqual([1, expect.stringContaining("lambdas[0].type (Titles): The [lambda.type] property")]);
  }
});

requirement("cli.lambdas", "test runs a case with the constants and secrets that it has", async () => {
  const body =
    "function populate(jwt, user, registration, { constants, secrets }) { jwt.read = [constants.a, secrets?.get('b')]; }";
  const lambdas = [{ name: "Reader", type: "JWTPopulate", body }];
  await mkdir(join(directory, "values"));
  await writeFile(join(directory, "values", "lambdas.json"), JSON.stringify({ formatVersion: 1, lambdas }));
  const cases = [
    { lambda: "Reader", name: "has both", constants: { a: [1] }, secrets: { b: "two" }, expect: { jwt: { read: [[1], "two"] } } },
    { lambda: "Reader", name: "has none", expect: { jwt: { read: [null, null] } } },
  ];
  await writeFile(join(directory, "values", "lambdas.test.json"), JSON.stringify(cases));
  expect((await run(["lambdas", "test", "values"])).printed).toContain("2 passed, 0 failed");
});

requirement("cli.lambdas", "what cannot be read is refused by name", async () => {
  const refused = async (args: readonly string[], text: string): Promise<void> => {
    const { code, said } = await run(["lambdas", ...args]);
    expect([code, said]).toEqual([1, expect.stringContaining(text)]);
  };
  await refused([], "Say what to do");
  await refused(["push"], "Name one folder");
  await refused(["push", "nowhere"], "There is no file nowhere/lambdas.json");
  await refused(["test", "nowhere"], "There is no file nowhere/lambdas.json");
  await refused(["logs", "--lines", "0"], "--lines must be");
  await writeFile(join(directory, folder, "lambdas.test.json"), JSON.stringify([{ lambda: "Nobody" }]));
  await refused(["test", folder], "case 1 must name a lambda");
  for (const values of [{ constants: [] }, { secrets: { crm: 7 } }, { secrets: "x" }]) {
    await writeFile(join(directory, folder, "lambdas.test.json"), JSON.stringify([{ lambda: "Plan", ...values }]));
    await refused(["test", folder], 'case 1 must have an object as "constants", and texts by name as "secrets".');
  }
  await writeFile(join(directory, folder, "department.ts"), "enum Color { red }\nfunction populate() {}");
  await refused(["push", folder], "The file department.ts that a document includes cannot be read.");
  await writeFile(join(directory, folder, "department.ts"), "function populate( {}");
  await refused(["push", folder], "department.ts");
});

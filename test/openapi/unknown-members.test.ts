// What a body may have is read from the document here: `known-members.json` cannot hide a level that it leaves open.
import { readFileSync } from "node:fs";
import { IdentityError, type IdentityService } from "latchkey";
import { createTestIdentity } from "latchkey/testing";
import { beforeAll, expect } from "vitest";
import { type JsonSchema, resolveRef, type Schemas } from "../../scripts/openapi/json-schema.js";
import { familyOperations } from "../../src/families/index.js";
import { formatPath } from "../../src/shared/text.js";
import { requirement } from "../support/requirement.js";

const unknown = "noSuchMember";

type Path = readonly (string | number)[];

interface Body {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isPatch: boolean;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

interface Document {
  readonly components: { readonly schemas: Schemas };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

const document: Document = JSON.parse(readFileSync("openapi.json", "utf8"));
const { schemas } = document.components;

// Routes that lead to one operation have ids that begin alike.
function nameOf(operationId: string): string | undefined {
  const [family = "", verb = ""] = operationId.split(".");
  const verbs = Object.keys(Reflect.get(familyOperations, family) ?? {});
  const known = verbs.filter((one) => verb === one || new RegExp(`^${one}(?:By|With)[A-Z]`).test(verb));
  const longest = known.sort((one, other) => other.length - one.length)[0];
  return longest && `${family}.${longest}`;
}

function listBodies(): readonly Body[] {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  return operations.flatMap(({ operationId, requestBody }) => {
    const name = nameOf(operationId);
    const content = requestBody?.content["application/json"];
    return name === undefined || content === undefined
      ? []
      : [{ name, schema: content.schema, isPatch: name.endsWith(".patch") }];
  });
}

/** Each object below a schema that has members of its own: maps and lists have one entry. */
function placesOf(schema: JsonSchema, path: Path = [], seen: readonly string[] = []): readonly Path[] {
  if (schema.$ref !== undefined && seen.includes(schema.$ref)) return [];
  const within = schema.$ref === undefined ? seen : [...seen, schema.$ref];
  const { additionalProperties, allOf, anyOf, items, properties } = resolveRef(schemas, schema);
  const branches = [anyOf, allOf, schema.allOf].flatMap((list) => (list ?? []) as JsonSchema[]);
  const inMap = typeof additionalProperties === "object" && properties === undefined;
  return [
    ...branches.flatMap((branch) => placesOf(branch, path, within)),
    ...(items === undefined ? [] : placesOf(items, [...path, 0], within)),
    ...(inMap ? placesOf(additionalProperties, [...path, "any-name"], within) : []),
    ...(properties === undefined ? [] : [path]),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => placesOf(member, [...path, name], within)),
  ];
}

function nest(path: Path): object {
  return path.reduceRight<object>((inner, name) => (name === 0 ? [inner] : { [name]: inner }), { [unknown]: 1 });
}

let identity: IdentityService;

beforeAll(async () => {
  const kit = await createTestIdentity();
  identity = kit.identity;
  return () => kit.close();
});

async function codesOf(name: string, input: object): Promise<unknown> {
  const [family = "", verb = ""] = name.split(".");
  const call = Reflect.get(Reflect.get(identity, family), verb) as (input: object) => Promise<unknown>;
  const thrown = await call(input).then(
    () => "nothing",
    (error: unknown) => error,
  );
  return thrown instanceof IdentityError
    ? Object.values(thrown.fieldErrors).flatMap((list) => list.map(({ code }) => code))
    : thrown;
}

requirement("in-process.unknown", "every body of the document is strict in process, at each level", async () => {
  const open: unknown[] = [];
  const walked = new Set<string>();
  for (const { isPatch, name, schema } of listBodies())
    for (const path of placesOf(schema)) {
      const key = `${name} ${formatPath(path)}`;
      if (walked.has(key)) continue;
      walked.add(key);
      const codes = await codesOf(name, isPatch ? { patch: nest(path) } : nest(path));
      const expected = [`[unknown]${formatPath([...path, unknown])}`];
      if (JSON.stringify(codes) !== JSON.stringify(expected)) open.push([key, codes]);
    }
  expect(open).toEqual([]);
  expect(walked.size).toBeGreaterThan(600);
  for (const key of ["users.create user.twoFactor.methods[0]", "registrations.create registration", "users.patch user"])
    expect(walked).toContain(key);
});

requirement("in-process.unknown", "a call that takes nothing has no members", async () => {
  for (const name of ["groups.list", "system.status", "twoFactor.secret", "integrations.retrieve"])
    expect([name, await codesOf(name, { [unknown]: 1 })]).toEqual([name, [`[unknown]${unknown}`]]);
});

requirement("in-process.known", "members that a body refuses with a reason keep that reason", async () => {
  const user = { email: "ada@example.com", password: "correct horse battery", encryptionScheme: "bcrypt", salt: "c2FsdA==" };
  const given = { user, registration: {} };
  for (const [name, input] of [
    ["users.create", { user }],
    ["registrations.create", given],
  ] as const)
    expect([name, await codesOf(name, input)]).toEqual([name, expect.arrayContaining(["[invalid]user.salt"])]);
});

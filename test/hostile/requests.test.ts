import { describe, expect, onTestFinished } from "vitest";
import { routes } from "../../src/families/index.js";
import { snapshotPrototypes } from "../patch/support.js";
import { Answer } from "../support/answer.js";
import { familyCases, makeRecord, readRecord } from "../support/families.js";
import { expectDocumented } from "../support/hostile.js";
import { anyCharacter, cases, fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, type Start, uuid, type World } from "../support/world.js";

const methods = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "get",
  "PROPFIND",
  "",
  "__proto__",
  "constructor",
];
const segments = [
  "api",
  "group",
  "member",
  "search",
  "tenant",
  "user",
  "registration",
  "application",
  "role",
  "api-key",
  "ip-acl",
  "entity",
  "type",
  "permission",
  "grant",
  "lambda",
  "webhook",
  uuid(1),
  "",
  ".",
  "..",
  "%2e%2e",
  "%00",
  "%",
  "%E0%A4%A",
  "__proto__",
  "constructor",
  ":groupId",
  "a b",
  "ü",
  "x".repeat(5_000),
];
const headerNames = [
  "authorization",
  "authentication",
  "content-type",
  "content-encoding",
  "content-length",
  "if-match",
  "if-none-match",
  "x-service-tenantid",
  "x-forwarded-for",
  "x-http-method-override",
  "accept",
  "__proto__",
  "constructor",
];
const headerTexts = [
  "",
  " ",
  "*",
  '"x"',
  'W/"x"',
  "gzip",
  "application/json",
  "application/merge-patch+json",
  "application/json; charset=utf-8",
  "-1",
  "NaN",
  "1e9",
  "DELETE",
  uuid(1),
  "null",
  "a,b",
  "x".repeat(10_000),
  "\u0000",
  "ü",
  bootstrapKey,
];

async function startWatched(start: Start): Promise<World> {
  const world = await start();
  const prototypes = snapshotPrototypes();
  onTestFinished(() => {
    expect(world.log).toEqual([]);
    expect(snapshotPrototypes()).toEqual(prototypes);
  });
  return world;
}

const path = fc.oneof(
  fc.constantFrom(...routes).map((route) => route.path.replaceAll(/:\w+/g, uuid(1))),
  fc.array(fc.constantFrom(...segments), { maxLength: 7 }).map((parts) => `/${parts.join("/")}`),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);
const query = fc.oneof(
  fc.constantFrom(
    "",
    "dryRun=true",
    "dryRun=yes",
    "hardDelete=true",
    "reactivate=true",
    "async=true",
    "groupId=x",
    "__proto__=1",
    "constructor[prototype]=1",
    "a&a&a",
    "=",
    "&&&",
    "%",
    "%ff",
    "a=%00",
    "name=%ud800",
    "?",
    "ids=1&ids=2",
  ),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);
const headers = fc.dictionary(
  fc.constantFrom(...headerNames),
  fc.oneof(fc.constantFrom(...headerTexts), fc.string({ unit: anyCharacter, maxLength: 30 }), fc.constant(["a", "b"])),
  { maxKeys: 4 },
);
const body = fc.oneof(
  fc.constant(undefined),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ kind: "bytes", bytes }) as const),
  fc.string({ unit: anyCharacter, maxLength: 200 }).map((text) => ({ kind: "text", text }) as const),
  fc.json({ stringUnit: anyCharacter }).map((text) => ({ kind: "text", text }) as const),
  fc.jsonValue().map((value) => ({ kind: "parsed", value }) as const),
);

forEachStorage((start) => {
  requirement("errors.never-500", "answers any request with something documented, or leaves it to the host", async () => {
    const { identity } = await startWatched(start);
    const request = fc.record({ method: fc.constantFrom(...methods), path, query, headers, body });
    await fc.assert(
      fc.asyncProperty(request, fc.boolean(), async (one, hasKey) => {
        const base = hasKey ? { authorization: bootstrapKey, "content-type": "application/json" } : {};
        const response = await identity.handle({ ...one, headers: { ...base, ...one.headers }, remoteAddress: "127.0.0.1" });
        if (response !== undefined) expectDocumented(new Answer(response), one);
      }),
      cases(3_000),
    );
  });

  requirement("errors.never-500", "answers every route with random bytes, text and JSON of every media type", async () => {
    const { identity } = await startWatched(start);
    const types = [
      "application/json",
      "application/merge-patch+json",
      "application/json-patch+json",
      "application/x-www-form-urlencoded",
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.constantFrom(...types),
        body,
        async ({ method, path: pattern }, type, content) => {
          const request = {
            method,
            path: pattern.replaceAll(/:\w+/g, uuid(1)),
            query: "",
            headers: { authorization: bootstrapKey, "content-type": type },
            body: content,
          };
          const response = await identity.handle(request);
          if (response === undefined) expect.fail(`${method} ${pattern} is not answered.`);
          expectDocumented(new Answer(response), request);
        },
      ),
      cases(1_500),
    );
  });

  describe.each(familyCases)("$name", (family) => {
    requirement(
      ["errors.never-500", "errors.nothing-half-done"],
      "withstands any patch document and changes all or nothing",
      async () => {
        const world = await startWatched(start);
        const made = await makeRecord(world, family);
        const pointer = fc.oneof(
          fc.constantFrom(
            "",
            "/",
            `/${family.wrapper}`,
            `/${family.wrapper}/name`,
            `/${family.wrapper}/data`,
            `/${family.wrapper}/data/list/-`,
            `/${family.wrapper}/data/list/0`,
            "/roleIds/-",
            "/~",
            "/~2",
            "/__proto__/x",
            "/constructor",
          ),
          fc.string({ maxLength: 20 }),
        );
        const operation = fc.record(
          {
            op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "x"),
            path: pointer,
            from: pointer,
            value: fc.jsonValue({ maxDepth: 2 }),
          },
          { requiredKeys: ["op", "path"] },
        );
        await fc.assert(
          fc.asyncProperty(fc.oneof(fc.array(operation, { maxLength: 5 }), fc.jsonValue()), async (patch) => {
            const before = await readRecord(world, family, made);
            const answer = await world.caller.jsonPatch(made.path, JSON.stringify(patch));
            expectDocumented(answer, patch);
            if (answer.status >= 400)
              expect({ patch, after: await readRecord(world, family, made) }).toEqual({ patch, after: before });
          }),
          cases(150),
        );
      },
    );
  });
});

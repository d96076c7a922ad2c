import { resolve } from "node:path";
import { Readable } from "node:stream";
import { type ConfigDocument, type IdentityError, IdentityError as Refusal } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { describe, expect, test } from "vitest";
import { readDocuments, readSecretReference } from "../../adapters/cli/command/read-documents.js";
import { resolveFromEnvironment } from "../../src/configuration/documents/config-secrets.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { writeFiles } from "../support/temporary.js";
import { forEachStorage, startWorld, uuid, type World } from "../support/world.js";

const place = { input: Readable.from([]), resolve };

/** Members that every object inherits, and `prototype`, which every function has. */
const inherited = [...Reflect.ownKeys(Object.prototype), "prototype"].filter((name) => typeof name === "string");

/** Objects are written by hand: a literal with `__proto__` has a prototype instead of a member. */
const json = (value: unknown, name: string): string => JSON.stringify(value).replaceAll("$NAME", name);

/** A document with the name in every kind of place, and the path by which a refusal names it. */
const places: readonly (readonly [path: string, document: object])[] = [
  ["$NAME", { formatVersion: 1, $NAME: [{ name: "Editors" }] }],
  ["$NAME", { formatVersion: 1, $NAME: "text" }],
  ["groups[0].$NAME", { formatVersion: 1, groups: [{ name: "Editors", $NAME: { a: 1 } }] }],
  ["applications[0].roles[0].$NAME", { formatVersion: 1, applications: [{ name: "Shop", roles: [{ name: "a", $NAME: 1 }] }] }],
  ["tenants[0].jwtConfiguration.$NAME", { formatVersion: 1, tenants: [{ name: "Default", jwtConfiguration: { $NAME: 1 } }] }],
  ["integrations.broker.$NAME", { formatVersion: 1, integrations: { broker: { $NAME: true } } }],
];

async function planOf(world: World, text: string): Promise<Record<string, string>> {
  const directory = writeFiles({ "document.json": text });
  const { document } = await readDocuments([`${directory}/document.json`], place);
  const refusal = await world.identity.config.plan(document).then(
    ({ changes }) => expect.fail(`It was not refused: ${JSON.stringify(changes)}`),
    (error: IdentityError) => error,
  );
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal.status).toBe(400);
  return Object.fromEntries(Object.entries(refusal.fieldErrors).map(([path, [first]]) => [path, first?.message ?? ""]));
}

function expectUnchangedPrototype(): void {
  const strange = Object.keys(Object.prototype);
  expect(strange).toEqual([]);
  expect(Object.getPrototypeOf(Object.prototype)).toBeNull();
}

forEachStorage((start) => {
  describe.each(inherited)("a member %s", (name) => {
    requirement("wire.member-names", "of a configuration document is refused as an unknown one, by its path", async () => {
      const world = await start();
      for (const [path, document] of places) {
        const messages = await planOf(world, json(document, name));
        const at = path.replace("$NAME", name);
        expect(Object.keys(messages)).toEqual([at]);
        const expected = name === "__proto__" ? "is not valid" : `There is no member ${name} here.`;
        expect(messages[at]).toContain(expected);
      }
      expectUnchangedPrototype();
    });

    requirement("wire.member-names", "of two files is one document: said twice only where they disagree", async () => {
      const files = { "a.json": `{"formatVersion":1,"${name}":1}`, "b.json": `{"${name}":1}`, "c.json": `{"${name}":2}` };
      const directory = writeFiles(files);
      const { document } = await readDocuments([`${directory}/a.json`, `${directory}/b.json`], place);
      expect(Object.entries(document)).toEqual([
        ["formatVersion", 1],
        [name, 1],
      ]);
      await expect(readDocuments([`${directory}/a.json`, `${directory}/c.json`], place)).rejects.toThrow(
        `${name} is said in another file already.`,
      );
      const lists = writeFiles({ "a.json": `{"${name}":[1]}`, "b.json": `{"${name}":[2]}` });
      expect(Object.entries((await readDocuments([lists], place)).document)).toEqual([[name, [1, 2]]]);
    });

    requirement("wire.member-names", "is no variable of the environment and no variable of a kickstart", async () => {
      expect(readSecretReference(`env:${name}`, { env: {}, resolve })).toBeUndefined();
      expect(resolveFromEnvironment(`env:${name}`)).toBeUndefined();
      for (const variable of [name, `ENV.${name}`]) {
        const kickstart = { apiKeys: [{ key: "a key" }], requests: [{ method: "POST", url: `/api/group?a=#{${variable}}` }] };
        await expect(startWorld(memoryStorage(), { kickstart })).rejects.toThrow("which is not defined");
      }
    });

    requirement("wire.member-names", "is a secret of a document only where the record has one", async () => {
      const { identity } = await start();
      const document: ConfigDocument = JSON.parse(
        json(
          {
            formatVersion: 1,
            webhooks: [{ url: "https://a", connectTimeout: 1, readTimeout: 1, headers: { $NAME: { $secret: "kept" } } }],
          },
          name,
        ),
      );
      await expect(identity.config.apply(document)).rejects.toMatchObject({ status: 400 });
    });

    requirement("wire.member-names", "of a kickstart means nothing, in free metadata it is a name like any other", async () => {
      const document = {
        $NAME: { variables: {} },
        variables: { $NAME: "value" },
        apiKeys: [{ key: "the-kickstart-key", ...(name !== "__proto__" && { $NAME: { keyManager: true } }) }],
        requests: [
          { method: "POST", url: `/api/group/${uuid(1)}`, body: { group: { name: "A", $NAME: 1 } }, $NAME: 1 },
          { method: "POST", url: `/api/group/${uuid(2)}`, body: { group: { name: "B", data: { $NAME: "#{$NAME}" } } } },
        ],
      };
      const file = `${writeFiles({ "kickstart.json": json(document, name) })}/kickstart.json`;
      const world = await start({ kickstart: file });
      expectUnchangedPrototype();
      const answers = await Promise.all([1, 2].map((id) => world.caller.get(`/api/group/${uuid(id)}`)));
      if (name === "__proto__") for (const answer of answers) expectEmpty(answer, 404);
      else {
        expect(Object.keys(expectOk(answers[0] as never).at("group") as object)).not.toContain(name);
        expect(expectOk(answers[1] as never).at("group.data")).toEqual({ [name]: "value" });
      }
    });
  });
});

test("the names that are tried are those of every object", () => {
  expect(inherited).toEqual(expect.arrayContaining(["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"]));
});

// Schemas of a tenant's own: stored, shown, filtered, patched, and described.
import { expect, vi } from "vitest";
import { expectOk } from "../../support/answer.js";
import { readLog } from "../../support/lambda-runs.js";
import { isLong } from "../../support/properties.js";
import { requirement } from "../../support/requirement.js";
import type { Start } from "../../support/world.js";
import {
  type Directory,
  enableScim,
  expectStatus,
  listPath,
  patchOf,
  refusalOf,
  startDirectory,
  userSchema,
} from "../support/directory.js";
import { forEachStorageInFull } from "../support/storages.js";

const urn = "urn:example:params:scim:schemas:extension:pirate:2.0:User";
const attributes = [
  { name: "ship", type: "string", required: false, caseExact: false },
  { name: "rank", type: "integer" },
  { name: "born", type: "dateTime", mutability: "immutable" },
  { name: "secret", type: "string", returned: "never", mutability: "writeOnly" },
  { name: "level", type: "string", mutability: "readOnly" },
  {
    name: "hands",
    type: "complex",
    multiValued: true,
    subAttributes: [{ name: "value" }, { name: "type" }, { name: "primary", type: "boolean" }],
  },
];

async function startPirates(start: Start, schemas: object = { [urn]: { name: "Pirate", attributes } }): Promise<Directory> {
  const directory = await startDirectory(start);
  await enableScim(directory.world, directory.tenantId, { schemas });
  return directory;
}

const pirate = {
  ship: "Pearl",
  rank: 3,
  born: "1690-01-02T00:00:00.000Z",
  hands: [{ value: "hook", type: "left", primary: true }],
};

forEachStorageInFull(isLong, (start) => {
  requirement("scim.custom-schemas", "attributes are stored, shown, filtered and patched", async () => {
    const { call, world } = await startPirates(start);
    const body = {
      schemas: [userSchema, urn],
      userName: "jack",
      [urn]: { ...pirate, secret: "gold", level: "x", undeclared: 1 },
    };
    const { id, ...created } = await expectStatus(call("POST", "/Users", body), 201);
    expect(created).toMatchObject({ schemas: [userSchema, urn], [urn]: pirate });
    expect((created as Record<string, object>)[urn]).toEqual(pirate);
    expect(expectOk(await world.caller.get(`/api/user/${id}`)).at("user.data.scim")).toMatchObject({
      extensions: { [urn]: { ship: "Pearl", rank: 3 } },
    });
    for (const [filter, count] of [
      [`${urn}:ship eq "pearl"`, 1],
      [`${urn}:rank gt 2`, 1],
      [`${urn}:rank gt 3`, 0],
      [`${urn}:hands[type eq "left" and primary eq true]`, 1],
      [`${urn}:born lt "1700-01-01T00:00:00Z"`, 1],
      [`not (${urn}:ship pr)`, 0],
    ] as const)
      expect([filter, (await expectStatus(call("GET", listPath("/Users", { filter })), 200)).totalResults]).toEqual([
        filter,
        count,
      ]);
    const at = `/Users/${id}`;
    const patched = await expectStatus(
      call(
        "PATCH",
        at,
        patchOf(
          { op: "replace", path: `${urn}:rank`, value: 4 },
          { op: "add", value: { [urn]: { ship: "Dutchman" } } },
          { op: "add", path: `${urn}:hands[type eq "right"].value`, value: "hand" },
        ),
      ),
      200,
    );
    expect(patched[urn]).toEqual({
      ...pirate,
      rank: 4,
      ship: "Dutchman",
      hands: [...pirate.hands, { type: "right", value: "hand" }],
    });
    expect(
      await refusalOf(call("PATCH", at, patchOf({ op: "replace", path: `${urn}:born`, value: "1691-01-02T00:00:00Z" }))),
    ).toEqual([400, "mutability"]);
    expect(await refusalOf(call("PATCH", at, patchOf({ op: "replace", path: `${urn}:level`, value: "x" })))).toEqual([
      400,
      "mutability",
    ]);
    expect(await refusalOf(call("PATCH", at, patchOf({ op: "replace", path: `${urn}:rank`, value: "x" })))).toEqual([
      400,
      "invalidValue",
    ]);
    expect(await refusalOf(call("GET", listPath("/Users", { filter: `${urn}:secret eq "gold"` })))).toEqual([
      400,
      "invalidFilter",
    ]);
    expect(Object.keys(await expectStatus(call("GET", `${at}?attributes=${urn}:ship`), 200))).toEqual(["schemas", "id", urn]);
    await expectStatus(call("PATCH", at, patchOf({ op: "remove", path: `${urn}:ship` })), 200);
    const left = await expectStatus(call("PUT", at, { userName: "jack" }), 200);
    expect([left[urn], left.schemas]).toEqual([undefined, [userSchema]]);
  });

  requirement("scim.custom-schemas", "they are described, and types name them", async () => {
    const { call } = await startPirates(start);
    const schema = await expectStatus(call("GET", `/Schemas/${urn}`), 200);
    expect(schema).toMatchObject({
      id: urn,
      name: "Pirate",
      attributes: expect.arrayContaining([expect.objectContaining({ name: "ship", mutability: "readWrite" })]),
    });
    const { schemaExtensions } = await expectStatus(call("GET", "/ResourceTypes/User"), 200);
    expect(schemaExtensions).toEqual(expect.arrayContaining([{ schema: urn, required: false }]));
  });

  requirement("scim.custom-schemas", "broken ones are left out and named in the event log, once", async () => {
    const broken = {
      [urn]: { attributes },
      "no urn": { attributes },
      "urn:x:1": { attributes: [] },
      "urn:x:2": 5,
      "urn:x:3": { attributes: [{ name: "__proto__" }] },
      "urn:x:4": { attributes: [{ name: "a", type: "wrong" }] },
      [userSchema]: { attributes },
    };
    const { call, world } = await startPirates(start, broken);
    for (let time = 0; time < 3; time++) await expectStatus(call("GET", "/Users"), 200);
    const readMessages = async () => {
      const messages = (await readLog(world)).map(({ message }) => message);
      return messages.filter((message) => message.includes("left out a schema"));
    };
    // Entries are written beside the answer.
    await vi.waitFor(async () => expect(await readMessages()).toHaveLength(6), { timeout: 10_000 });
    const messages = await readMessages();
    for (const name of ["no urn", "urn:x:1", "urn:x:3", "urn:x:4", "exists already"])
      expect(messages.filter((message) => message.includes(name))).not.toEqual([]);
    expect((await expectStatus(call("POST", "/Users", { userName: "jack", [urn]: pirate }), 201))[urn]).toEqual(pirate);
    expect((await call("GET", "/Schemas/urn:x:1")).status).toBe(404);
  });

  requirement("scim.custom-schemas", "a schema that goes takes its attributes out of answers, and brings them back", async () => {
    const { call, tenantId, world } = await startPirates(start);
    const { id } = await expectStatus(call("POST", "/Users", { userName: "jack", [urn]: pirate }), 201);
    expectOk(
      await world.caller.jsonPatch(`/api/tenant/${tenantId}`, [
        { op: "replace", path: "/tenant/scimServerConfiguration/schemas", value: {} },
      ]),
    );
    expect(await expectStatus(call("GET", `/Users/${id}`), 200)).not.toHaveProperty([urn]);
    expect(await refusalOf(call("GET", listPath("/Users", { filter: `${urn}:ship pr` })))).toEqual([400, "invalidFilter"]);
    await expectStatus(call("PUT", `/Users/${id}`, { userName: "jack", title: "Captain" }), 200);
    await enableScim(world, tenantId, { schemas: { [urn]: { attributes } } });
    expect((await expectStatus(call("GET", `/Users/${id}`), 200))[urn]).toEqual(pirate);
  });
});

// RFC 7644, 3.7: bulk requests.
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import type { Answer } from "../../support/answer.js";
import { isLong } from "../../support/properties.js";
import { requirement } from "../../support/requirement.js";
import { startWorld } from "../../support/world.js";
import {
  callWith,
  createGroup,
  createUser,
  type Directory,
  expectStatus,
  listPath,
  membersOf,
  openDirectory,
  patchOf,
  refusalOf,
  startDirectory,
} from "../support/directory.js";
import { forEachStorageInFull } from "../support/storages.js";

const schemas = ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"];

function bulk(call: Directory["call"], Operations: readonly unknown[], more: object = {}): Promise<Answer> {
  return call("POST", "/Bulk", { schemas, Operations, ...more });
}

interface Result {
  readonly status: string;
  readonly bulkId?: string;
  readonly location?: string;
  readonly version?: string;
  readonly response?: { readonly scimType?: string; readonly status?: string };
}

async function resultsOf(answer: Promise<Answer>): Promise<readonly Result[]> {
  const { Operations, schemas: given } = await expectStatus(answer, 200);
  expect(given).toEqual(["urn:ietf:params:scim:api:messages:2.0:BulkResponse"]);
  return Operations as readonly Result[];
}

const user = (bulkId: string, userName = bulkId) => ({ method: "POST", path: "/Users", bulkId, data: { userName } });
const group = (bulkId: string, ...members: readonly string[]) => ({
  method: "POST",
  path: "/Groups",
  bulkId,
  data: { displayName: bulkId, members: members.map((value) => ({ value })) },
});
const statuses = (results: readonly Result[]) => results.map(({ status }) => status);
const idOf = ({ location = "" }: Result | undefined = { status: "" }): string => location.split("/").at(-1) ?? "";

forEachStorageInFull(isLong, (start) => {
  requirement("scim.bulk", "operations create, change and remove, and the answer has them in order", async () => {
    const { call } = await startDirectory(start);
    const [old, gone] = [await createUser(call, "old"), await createUser(call, "gone")];
    const results = await resultsOf(
      bulk(call, [
        user("new"),
        { method: "PUT", path: `/Users/${old}`, data: { userName: "older" } },
        { method: "patch", path: `/Users/${old}`, data: patchOf({ op: "replace", value: { title: "Captain" } }) },
        { method: "DELETE", path: `/Users/${gone}` },
      ]),
    );
    expect(statuses(results)).toEqual(["201", "200", "200", "204"]);
    expect(results[0]).toMatchObject({ method: "POST", bulkId: "new", version: expect.stringMatching(/^W\//) });
    expect(await expectStatus(call("GET", `/Users/${idOf(results[0])}`), 200)).toMatchObject({
      userName: "new",
      meta: { location: results[0]?.location },
    });
    expect(await expectStatus(call("GET", `/Users/${old}`), 200)).toMatchObject({ userName: "older", title: "Captain" });
    expect((await call("GET", `/Users/${gone}`)).status).toBe(404);
  });

  requirement("scim.bulk", "bulkIds refer forwards and backwards, in values and in paths", async () => {
    const { call } = await startDirectory(start);
    const results = await resultsOf(
      bulk(call, [
        group("crew", "bulkId:ann", "bulkId:bob"),
        user("ann"),
        {
          method: "PATCH",
          path: "/Groups/bulkId:staff",
          data: patchOf({ op: "add", path: "members", value: [{ value: "bulkId:bob" }] }),
        },
        user("bob"),
        group("staff", "bulkId:ann"),
      ]),
    );
    expect(statuses(results)).toEqual(["201", "201", "204", "201", "201"]);
    const [crew, ann, , bob, staff] = results.map((result) => idOf(result));
    expect((await membersOf(call, crew ?? "")).toSorted()).toEqual([ann, bob].toSorted());
    expect((await membersOf(call, staff ?? "")).toSorted()).toEqual([ann, bob].toSorted());
  });

  requirement("scim.bulk", "a circle of bulkIds is 409, an unknown one fails its operation, a double one all", async () => {
    const { call } = await startDirectory(start);
    expect((await refusalOf(bulk(call, [group("a", "bulkId:b"), group("b", "bulkId:a")])))[0]).toBe(409);
    expect((await refusalOf(bulk(call, [group("a", "bulkId:a")])))[0]).toBe(409);
    expect(await refusalOf(bulk(call, [user("a"), user("a", "b")]))).toEqual([400, "invalidValue"]);
    expect((await expectStatus(call("GET", "/Groups"), 200)).totalResults).toBe(0);
    const results = await resultsOf(
      bulk(call, [group("a", "bulkId:none"), user("ann"), { method: "DELETE", path: "/Users/bulkId:none" }]),
    );
    expect(statuses(results)).toEqual(["400", "201", "400"]);
    expect(results[0]?.response).toMatchObject({ status: "400", scimType: "invalidValue" });
    // What a failed operation would have made is unknown to others.
    const failed = await resultsOf(bulk(call, [user("ann"), group("b", "bulkId:ann")]));
    expect(statuses(failed)).toEqual(["409", "400"]);
  });

  requirement("scim.bulk", "failOnErrors ends the request, and what was done stays", async () => {
    const { call } = await startDirectory(start);
    const operations = [user("a"), user("b", ""), user("c"), user("d", ""), user("e")];
    expect(statuses(await resultsOf(bulk(call, operations, { failOnErrors: 2 })))).toEqual(["201", "400", "201", "400"]);
    expect((await expectStatus(call("GET", "/Users"), 200)).totalResults).toBe(2);
    for (const failOnErrors of [0, -1, "1", null, 1.5]) {
      const { status } = await bulk(call, [], { failOnErrors });
      expect([failOnErrors, status]).toEqual([failOnErrors, failOnErrors === null ? 200 : 400]);
    }
  });

  requirement("scim.bulk", "an operation that fails changes nothing of its resource, and others go on", async () => {
    const { call } = await startDirectory(start);
    const ann = await createUser(call, "ann", { title: "Captain" });
    const crew = await createGroup(call, "Crew", [ann]);
    const results = await resultsOf(
      bulk(call, [
        {
          method: "PATCH",
          path: `/Users/${ann}`,
          data: patchOf({ op: "replace", value: { title: "Mate" } }, { op: "replace", path: "active", value: "no" }),
        },
        {
          method: "PATCH",
          path: `/Groups/${crew}`,
          data: patchOf(
            { op: "replace", value: { displayName: "Other" } },
            { op: "add", path: "members", value: [{ value: "none" }] },
          ),
        },
        { method: "PUT", path: `/Users/${ann}`, version: 'W/"stale"', data: { userName: "other" } },
        { method: "DELETE", path: `/Users/${ann}`, version: 'W/"stale"' },
        { method: "POST", path: "/Nothing", bulkId: "x", data: {} },
        { method: "POST", path: "/Bulk", bulkId: "y", data: { schemas, Operations: [] } },
        { method: "PATCH", path: "/Users", data: {} },
        { method: "DELETE", path: "/Me" },
        user("bob"),
      ]),
    );
    expect(statuses(results)).toEqual(["400", "400", "412", "412", "404", "400", "405", "501", "201"]);
    for (const { response, status } of results.slice(0, -1)) expect(response?.status).toBe(status);
    expect(await expectStatus(call("GET", `/Users/${ann}`), 200)).toMatchObject({ userName: "ann", title: "Captain" });
    expect(await expectStatus(call("GET", `/Groups/${crew}`), 200)).toMatchObject({ displayName: "Crew" });
  });

  requirement("scim.bulk", "each operation needs its own permission", async () => {
    const { call, tenantId, world } = await startDirectory(start);
    const ann = await createUser(call, "ann");
    const only = await openDirectory(world, tenantId, ["scim:group:create"]);
    const results = await resultsOf(
      bulk(only.call, [
        user("bob"),
        group("crew", ann),
        { method: "DELETE", path: `/Users/${ann}` },
        { method: "PATCH", path: `/Users/${ann}`, data: {} },
      ]),
    );
    expect(statuses(results)).toEqual(["403", "201", "403", "403"]);
    expect((await call("GET", `/Users/${ann}`)).status).toBe(200);
    expect((await bulk(callWith(world, {}), [user("x")])).status).toBe(401);
  });

  requirement("scim.bulk", "bodies that are none are refused", async () => {
    const { call } = await startDirectory(start);
    const refused: readonly unknown[] = [
      {},
      [],
      { schemas, Operations: {} },
      { Operations: [] },
      ...[
        5,
        null,
        [],
        {},
        { method: "GET", path: "/Users" },
        { method: "POST", path: "/Users", data: {} },
        { method: "POST", path: "Users", bulkId: "a" },
        { method: 5, path: "/Users" },
        { method: "DELETE", path: {} },
      ].map((one) => ({ schemas, Operations: [one] })),
    ];
    for (const body of refused)
      expect([body, ...(await refusalOf(call("POST", "/Bulk", body)))]).toEqual([body, 400, "invalidSyntax"]);
    const many = Array.from({ length: 1_001 }, (_, at) => user(`u${at}`));
    expect((await bulk(call, many)).status).toBe(413);
    expect((await expectStatus(call("GET", "/Users"), 200)).totalResults).toBe(0);
  });

  requirement("scim.bulk", "a path says its query, and attributes of it count for nobody else", async () => {
    const { call } = await startDirectory(start);
    const results = await resultsOf(bulk(call, [{ method: "DELETE", path: "/Users/x?attributes=id" }, user("ann")]));
    expect(statuses(results)).toEqual(["404", "201"]);
    expect((await expectStatus(call("GET", listPath("/Users", { filter: 'userName eq "ann"' })), 200)).totalResults).toBe(1);
  });

  requirement("scim.discovery", "the configuration, the resource types and the schemas are described", async () => {
    const { call } = await startDirectory(start);
    const config = await expectStatus(call("GET", "/ServiceProviderConfig"), 200);
    for (const feature of ["patch", "bulk", "filter", "changePassword", "sort", "etag"])
      expect([feature, config[feature]]).toEqual([feature, expect.objectContaining({ supported: true })]);
    const types = await expectStatus(call("GET", "/ResourceTypes"), 200);
    expect((types.Resources as { id: string }[]).map(({ id }) => id)).toEqual(["User", "EnterpriseUser", "Group"]);
    for (const type of types.Resources as { id: string; meta: { location: string } }[]) {
      expect(await expectStatus(call("GET", `/ResourceTypes/${type.id}`), 200)).toEqual(type);
      expect(type.meta.location).toBe(`http://localhost/api/scim/resource/v2/ResourceTypes/${type.id}`);
    }
    const { Resources, totalResults } = await expectStatus(call("GET", "/Schemas"), 200);
    expect(totalResults).toBe((Resources as unknown[]).length);
    for (const schema of Resources as { id: string }[])
      expect(await expectStatus(call("GET", `/Schemas/${schema.id}`), 200)).toEqual(schema);
    for (const path of ["/Schemas", "/ResourceTypes"]) expect((await call("GET", `${path}?filter=id pr`)).status).toBe(403);
  });
});

requirement(
  "request-id.doors",
  "a failed operation of a bulk request is logged by its route, with the id of the request",
  async () => {
    const lines: object[] = [];
    const note = (fields: object, message: string): void => void lines.push({ ...fields, message });
    const storage = memoryStorage();
    const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: note };
    const { call } = await startDirectory((options) => startWorld(storage, options), { logger });
    const made = await resultsOf(bulk(call, [user("a")]));
    storage.transaction = () => Promise.reject(new Error("broken"));
    const removal = { method: "DELETE", path: `/Users/${idOf(made[0])}` };
    const answer = call("POST", "/Bulk", { schemas, Operations: [removal] }, { "x-request-id": "mine" });
    expect(statuses(await resultsOf(answer))).toEqual(["500"]);
    const path = "/api/scim/resource/v2/Users/:id";
    const line = { err: new Error("broken"), message: "SCIM request failed", method: "DELETE", path, requestId: "mine" };
    expect(lines).toEqual([line]);
  },
);

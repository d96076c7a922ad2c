import { type Directory, StorageUnavailable } from "latchkey/ports";
import { describe, expect, test } from "vitest";
import { authorized, createTestService, type TestService } from "./support/service.js";

/** A service whose directory fails with this error, and the request that runs into it. */
async function createFailing(error: unknown): Promise<TestService> {
  const fail = (): Promise<never> => Promise.reject(error);
  const directory: Directory = { findUsers: fail, findApplications: fail, findRoles: fail, findRegistrations: fail };
  return createTestService({ directory });
}

const hitsDirectory = {
  method: "POST",
  url: "/api/group?secret=in-the-query",
  headers: authorized,
  body: { group: { name: "Secret name" }, roleIds: ["0e3a1f6c-5b0d-4a51-9a6e-8f0f4c1d2b03"] },
};

describe("a failure that is nobody's fault but ours", () => {
  test.each([new Error("with details"), "a text", undefined, null, new TypeError("null is not an object")])(
    "is 500 with an empty body, and in the log (%#)",
    async (error) => {
      const { identity, logged } = await createFailing(error);
      const response = await identity.inject(hitsDirectory);
      expect(response).toMatchObject({ status: 500, body: "" });
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatch(/^request failed/);
      // The log names the request, not what it carried.
      expect(logged[0]).not.toMatch(/Secret|in-the-query/);
      expect((await identity.inject({ url: "/api/group", headers: authorized })).body).toBe('{"groups":[]}');
    },
  );

  test("is 503 when the storage cannot be reached, and says so to the caller", async () => {
    const { identity, logged } = await createFailing(new StorageUnavailable("The host name of the database."));
    const response = await identity.inject(hitsDirectory);
    expect(response.status).toBe(503);
    expect(JSON.parse(response.body)).toMatchObject({ fieldErrors: {}, generalErrors: [{ code: "[storageUnavailable]" }] });
    expect(response.body).not.toContain("host name");
    expect(logged).toHaveLength(1);
  });
});

describe("handle", () => {
  test("returns undefined for a foreign path, for any caller", async () => {
    const { identity } = await createTestService();
    const request = { method: "GET", path: "/api/nothing", query: "", headers: {} };
    expect(await identity.handle(request)).toBeUndefined();
    expect(await identity.handle({ ...request, path: "xapi/group", headers: authorized })).toBeUndefined();
    expect((await identity.inject({ url: "/api/nothing" })).status).toBe(404);
  });

  test("does not read a body that it need not look at", async () => {
    const { identity } = await createTestService();
    let isRead = false;
    const stream: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]() {
        isRead = true;
        throw new Error("was read");
      },
    };
    const body = { kind: "stream", stream } as const;
    const headers = { "content-type": "application/json" };
    const unknown = { method: "POST", path: "/api/group", query: "", headers, body };
    expect((await identity.handle(unknown))?.status).toBe(401);
    expect((await identity.handle({ ...unknown, method: "OPTIONS" }))?.status).toBe(405);
    expect((await identity.handle({ ...unknown, method: "GET", headers: { ...headers, ...authorized } }))?.status).toBe(200);
    expect(isRead).toBe(false);
  });

  test("takes headers that a transport delivers as lists", async () => {
    const { identity } = await createTestService();
    const { group } = await identity.groups.create({ group: { name: "Editors" } });
    const read = { method: "GET", path: `/api/group/${group.id}`, query: "", headers: authorized };
    const etag = String((await identity.handle(read))?.headers.etag);
    const lists = { ...authorized, "if-none-match": ['"other"', etag] };
    expect((await identity.handle({ ...read, headers: lists }))?.status).toBe(304);
  });
});

describe("inject", () => {
  test("sends texts and bytes as they are, and anything else as JSON", async () => {
    const { identity } = await createTestService();
    const post = { method: "post", url: "/api/group", headers: { Authorization: authorized.authorization ?? "" } };
    const json = (name: string): string => JSON.stringify({ group: { name } });
    expect((await identity.inject({ ...post, body: { group: { name: "As a value" } } })).status).toBe(200);
    expect((await identity.inject({ ...post, body: json("As a text") })).status).toBe(200);
    expect((await identity.inject({ ...post, body: Buffer.from(json("As bytes")) })).status).toBe(200);
    const found = await identity.inject({ url: "/api/group/search?name=as%20a&orderBy=name%20DESC", headers: post.headers });
    expect(JSON.parse(found.body).groups.map((group: { name: string }) => group.name)).toEqual(["As a value", "As a text"]);
  });
});

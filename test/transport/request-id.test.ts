import type { IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { createTestIdentity } from "latchkey/testing";
import { describe, expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { uuid } from "../support/world.js";

async function idFor(given: string | undefined, options: Pick<IdentityServiceOptions, "requestIds"> = {}): Promise<unknown> {
  await using kit = await createTestIdentity(options);
  const request = { url: "/api/group", ...(given !== undefined && { headers: { "X-Request-Id": given } }) };
  return (await kit.caller.send(request)).headers["x-request-id"];
}

describe("the id of a request", () => {
  const longest = "a".repeat(128);

  for (const given of ["a", uuid(1), "Root=1-67891233-abcdef012345678912345678", "a/b+c=@d:e.f_g", longest])
    requirement("request-id.given", `that its caller gives is repeated: ${given.slice(0, 50)}`, async () => {
      expect([await idFor(given), await idFor(given, { requestIds: true })]).toEqual([given, given]);
    });

  for (const given of ["", " ", "a b", "a,b", 'a"b', "a\nlevel=error", "é", `${longest}a`])
    requirement(
      "request-id.given",
      `that nobody could repeat counts for nothing: ${JSON.stringify(given).slice(0, 50)}`,
      async () => {
        expect(await idFor(given)).toBeUndefined();
        expect(await idFor(given, { requestIds: true })).toMatch(/^[0-9a-f-]{36}$/);
      },
    );

  requirement("request-id.given", "is repeated with a refusal", async () => {
    await using kit = await createTestIdentity();
    const answer = await kit.identity.inject({ url: "/api/group", headers: { "x-request-id": "mine" } });
    expect([answer.status, answer.headers["x-request-id"]]).toEqual([401, "mine"]);
  });

  requirement("request-id.made", "is made where the host wants it, and not otherwise", async () => {
    expect(await idFor(undefined)).toBeUndefined();
    expect(await idFor(undefined, { requestIds: true })).toMatch(/^[0-9a-f-]{36}$/);
  });

  requirement(
    "request-id.failed",
    "is in the log and in the response of a failure, with the caller's id or our own",
    async () => {
      const logged: object[] = [];
      const note = (fields: object): void => void logged.push(fields);
      const storage = memoryStorage();
      await using kit = await createTestIdentity({ storage, logger: { debug: note, info: note, warn: note, error: note } });
      storage.transaction = () => Promise.reject(new Error("broken"));
      const body = { group: { name: "Editors" } };
      const plain = await kit.caller.post("/api/group", body);
      expect([plain.status, plain.headers["x-request-id"]]).toEqual([500, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      await kit.caller.send({ method: "POST", url: "/api/group", body, headers: { "x-request-id": "mine" } });
      expect(logged).toMatchObject([{ requestId: plain.headers["x-request-id"] }, { requestId: "mine" }]);
    },
  );

  test("comes with a response that is not changed otherwise", async () => {
    await using kit = await createTestIdentity();
    const { headers: before } = await kit.caller.get("/api/group");
    const { headers } = await kit.caller.send({ url: "/api/group", headers: { "x-request-id": "mine" } });
    expect(headers).toEqual({ ...before, "x-request-id": "mine" });
  });
});

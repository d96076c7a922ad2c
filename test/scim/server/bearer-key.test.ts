import { memoryStorage } from "latchkey/memory";
import { scim } from "latchkey/scim";
import { expect, test } from "vitest";
import { bootstrapKey, startWorld } from "../../support/world.js";

const url = "/api/scim/resource/v2/Users";

async function start() {
  const { identity, defaultTenantId: tenantId } = await startWorld(memoryStorage(), { protocols: [scim()] });
  const patch = { tenant: { scimServerConfiguration: { enabled: true } } };
  await identity.tenants.patch({ tenantId, mode: "merge", patch });
  const send = async (authorization: string) => (await identity.inject({ url, headers: { authorization } })).status;
  return { identity, send };
}

test("a directory sends an API key as a bearer token", async () => {
  const { send } = await start();
  for (const scheme of ["Bearer ", "bearer ", ""]) expect(await send(scheme + bootstrapKey)).toBe(200);
  expect(await send(`Basic ${btoa(`apikey:${bootstrapKey}`)}`)).toBe(200);
  for (const wrong of ["Bearer wrong", "Bearer  ", `Bearer Bearer ${bootstrapKey}`, `Bearer a.b.c`, `DPoP ${bootstrapKey}`])
    expect(await send(wrong)).toBe(401);
});

test("other endpoints take no key as a bearer token", async () => {
  const { identity } = await start();
  const { status } = await identity.inject({ url: "/api/group", headers: { authorization: `Bearer ${bootstrapKey}` } });
  expect(status).toBe(401);
});

test("a second authorization header makes both count as none", async () => {
  const { identity } = await start();
  const authorization = `Bearer ${bootstrapKey}`;
  const rawHeaders = ["Authorization", authorization, "Authorization", "Bearer other"];
  const answer = await identity.handle({ method: "GET", path: url, query: "", headers: { authorization }, rawHeaders });
  expect(answer?.status).toBe(401);
});

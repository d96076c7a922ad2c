/** docs/guards-fetch.md */
import assert from "node:assert/strict";
import { fetchGuards } from "latchkey/fetch";
import { applicationId, openShop } from "./guards-shop.ts";

const { buyer, identity, machine } = await openShop();

const { requireApiKey, requireRole, requireUser } = fetchGuards(identity);

const me = requireUser({ applicationId })((_request, caller) => Response.json({ id: caller.userId, roles: caller.roles }));
const orders = requireRole("buyer", { applicationId })(() => Response.json([]));
const prices = requireRole(["seller", "manager"], { applicationId, fresh: true })(() => Response.json([]));
const reports = requireApiKey()((_request, caller) => Response.json({ key: caller.keyId }));

const routes: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
  "/me": me,
  "/orders": orders,
  "/prices": prices,
  "/reports": reports,
};

// Your answer to refusals.
async function answer(request: Request): Promise<Response> {
  const response = await routes[new URL(request.url).pathname]?.(request);
  if (response?.status === 401) return Response.redirect(new URL("/login", request.url));
  return response ?? new Response(null, { status: 404 });
}

const statusesOf = async (path: string): Promise<readonly number[]> => {
  const requests = [{}, buyer, machine].map((headers) => answer(new Request(`http://localhost${path}`, { headers })));
  return (await Promise.all(requests)).map(({ status }) => status);
};
assert.deepEqual(await statusesOf("/me"), [302, 200, 302]);
assert.deepEqual(await statusesOf("/orders"), [302, 200, 302]);
assert.deepEqual(await statusesOf("/prices"), [302, 403, 302]);
assert.deepEqual(await statusesOf("/reports"), [302, 302, 200]);
await identity.close();

import fastify, { type FastifyServerOptions } from "fastify";
import { identityPlugin } from "latchkey/fastify";
import { expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { exchange } from "./support/exchange.js";
import { listen, type RunningHost } from "./support/hosts.js";
import { authorized, createTestService } from "./support/service.js";

async function start(options: FastifyServerOptions, prefix: string): Promise<RunningHost> {
  const { identity } = await createTestService();
  const app = fastify(options);
  app.get("/:organization/oauth2/*", async () => "of the host");
  app.get("/samlv2/acs/:id", async () => "of the host");
  app.register(identityPlugin(identity), { prefix });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send("no such page"));
  await app.ready();
  return listen(app.routing);
}

const rows: readonly (readonly [name: string, options: FastifyServerOptions, prefix: string, path: string])[] = [
  ["caseSensitive: false", { routerOptions: { caseSensitive: false } }, "/identity", "/IDENTITY/api/group"],
  ["ignoreDuplicateSlashes", { routerOptions: { ignoreDuplicateSlashes: true } }, "/identity", "//identity//api///group?a=//"],
  ["ignoreDuplicateSlashes of the server", { ignoreDuplicateSlashes: true }, "/identity", "//identity//api///group"],
  ["ignoreTrailingSlash", { routerOptions: { ignoreTrailingSlash: true } }, "/identity", "/identity/api/group/"],
  ["a parameter in the prefix", {}, "/:organization/identity", "/acme/identity/api/group"],
  ["two parameters in a segment", {}, "/:near-:far/identity", "/a-b/identity/api/group"],
  ["a pattern with a slash", {}, "/:organization(^[^/]+$)", "/acme/api/group"],
  ["a slash at the end of the prefix", {}, "/identity/", "/identity/api/group"],
  ["rewriteUrl", { rewriteUrl: (request) => (request.url ?? "").replace("/proxy", "") }, "", "/proxy/api/group"],
];

test.each(rows)("%s", async (_name, options, prefix, path) => {
  await using running = await start(options, prefix);
  expect(await exchange(running.port, { path, headers: authorized })).toMatchObject({ status: 200, body: '{"groups":[]}' });
});

test("slashes count where the router counts them", async () => {
  await using running = await start({}, "/identity");
  const { status } = await exchange(running.port, { path: "/identity/api//group", headers: authorized });
  expect(status).toBe(404);
});

requirement("doors.router-options", "a host's own routes win, and a segment is a tenant only where it is an id", async () => {
  await using running = await start({}, "");
  expect((await exchange(running.port, { path: "/acme/oauth2/token" })).body).toBe("of the host");
  expect((await exchange(running.port, { path: "/samlv2/acs/abc" })).body).toBe("of the host");
});

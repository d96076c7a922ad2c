// A front door never acts as the host: what its principal may call is a short table, and every other route refuses it.
import { memoryStorage } from "latchkey/memory";
import type { VisitorPrincipal } from "latchkey/types";
import { describe, expect, test } from "vitest";
import { consoleReader, setUpVisitor, signInVisitor } from "../../adapters/console/sign-in/visitor.js";
import { pageReader, toVisitor } from "../../adapters/oidc/server/visitor.js";
import { samlVisitor } from "../../adapters/saml/server/visitor.js";
import { scimVisitor } from "../../adapters/scim/server/visitor.js";
import { routes } from "../../src/families/index.js";
import { toApiRequest } from "../../src/http/transport/inject.js";
import { requirement } from "../support/requirement.js";
import { countWalk } from "../support/walk-counts.js";
import { startWorld, uuid } from "../support/world.js";

const doors: Readonly<Record<string, VisitorPrincipal>> = {
  "a visitor of the pages": toVisitor(undefined),
  "the pages": pageReader,
  SAML: samlVisitor,
  SCIM: scimVisitor,
  "the sign-in of the console": signInVisitor,
  "the link for the first administrator": setUpVisitor,
  "the console": consoleReader,
};

describe.each(Object.entries(doors))("%s", (_name, principal) => {
  const isGranted = ({ endpoint, method }: { readonly endpoint: string; readonly method: string }): boolean =>
    principal.grants.get(endpoint)?.has(method) === true;

  requirement("pages.visitor-rights", "reaches the calls of its table, and is refused by every other route", async () => {
    const { identity } = await startWorld(memoryStorage());
    const statusOf = async ({ method, path }: { readonly method: string; readonly path: string }): Promise<unknown> => {
      const request = toApiRequest({ method, url: path.replace(/:\w+/g, uuid(1)), ...(method !== "GET" && { body: {} }) });
      return (await identity.handle(request, principal))?.status;
    };
    const open: string[] = [];
    for (const route of routes) if ((await statusOf(route)) !== 401) open.push(`${route.method} ${route.path}`);
    countWalk("front doors: routes that the rights of each do not reach", routes.length - open.length);
    const granted = routes.filter(isGranted).map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual(granted.sort());
    expect(routes.length - open.length).toBeGreaterThan(400);
  });

  test("has only calls in its table that exist", () => {
    const known = new Set(routes.map(({ endpoint, method }) => `${method} ${endpoint}`));
    const calls = [...principal.grants].flatMap(([endpoint, methods]) => [...methods].map((method) => `${method} ${endpoint}`));
    expect(calls.filter((call) => !known.has(call) && call !== "POST lambdas.run")).toEqual([]);
  });
});

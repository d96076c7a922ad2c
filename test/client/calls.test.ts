import type { InjectedRequest } from "latchkey";
import { createClient, type Result } from "latchkey/client";
import { memoryStorage } from "latchkey/memory";
import { expect, test } from "vitest";
import { familyOperations, routes } from "../../src/families/index.js";
import type { Route } from "../../src/http/route/define-route.js";
import { RouteTable } from "../../src/http/route/match-route.js";
import type { AnyOperation } from "../../src/operations/operation.js";
import { codesOf } from "../support/answer.js";
import { operationsOf, toRow } from "../support/client-table.js";
import { toInput } from "../support/every-operation.js";
import { type MatrixRequest, type Stage, setStage, toRequest } from "../support/matrix-stage.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, startWorld, type World } from "../support/world.js";

const table = new RouteTable(routes);

type AnyCall = (input: object, options?: { readonly dryRun?: boolean }) => Promise<Result<unknown>>;

/** A client whose requests are seen. */
function watchedClient({ identity }: World): { readonly client: object; readonly sent: InjectedRequest[] } {
  const sent: InjectedRequest[] = [];
  const inject = (request: InjectedRequest): ReturnType<typeof identity.inject> => {
    sent.push(request);
    return identity.inject(request);
  };
  return { sent, client: createClient({ inject, apiKey: bootstrapKey, retry: false }) };
}

function callOf(client: object, name: string): AnyCall {
  const [family = "", verb = ""] = name.split(".");
  return (client as Record<string, Record<string, AnyCall>>)[family]?.[verb] as AnyCall;
}

/** Each route that the client can take, with the request that the matrix of all endpoints makes for it. */
function casesOf(stage: Stage): readonly (readonly [Route<AnyOperation>, MatrixRequest])[] {
  return routes
    .filter(({ method, target }) => toRow(target).startsWith(`${method} `))
    .map((route) => [route, toRequest(route, stage)] as const);
}

// The client takes no word for an id.
function withLongId({ records, tenantId }: Stage): Stage {
  const logins = records.get("logins");
  if (logins === undefined) throw new Error("There is no login.");
  const params = { ...logins.params, changePasswordId: "unknown-1" };
  return { tenantId, records: new Map([...records, ["logins", { ...logins, params }]]) };
}

function isStreamed({ streamedBody, streamedType }: AnyOperation): boolean {
  return streamedType !== undefined || streamedBody !== undefined;
}

async function byHand({ caller }: World, request: MatrixRequest): Promise<readonly [number, readonly string[]]> {
  const isForm = typeof request.body === "string";
  const type = isForm ? "application/x-www-form-urlencoded" : "application/merge-patch+json";
  const headers = isForm || request.method === "PATCH" ? { "content-type": type } : undefined;
  const answer = await caller.send(request.method, request.url, request.body, headers);
  return [answer.status, answer.status >= 400 && answer.text !== "" && !isForm ? codesOf(answer) : []];
}

requirement("client.calls", "each call reaches its operation and is answered as the request by hand", async () => {
  const world = await startWorld(memoryStorage(), {
    throttle: false,
    sendSms: async () => ({ kind: "ok" }),
    mail: async () => ({ kind: "ok" }),
  });
  const stage = withLongId(await setStage(world, world.defaultTenantId));
  const { client, sent } = watchedClient(world);
  let succeeded = 0;
  const tried = steps(casesOf(stage), 8);
  for (const [route, request] of tried) {
    const { name } = route.target;
    if (isStreamed(route.target)) continue;
    const [status, codes] = await byHand(world, request);
    const result = await callOf(client, name)(toInput(route, request), { dryRun: request.url.includes("dryRun=true") });
    const { method = "", url = "" } = sent.at(-1) ?? {};
    const match = table.match(method, url.split("?")[0] ?? "");
    expect([name, match?.kind === "found" && match.route.target.name]).toEqual([name, name]);
    expect([name, result.status, result.attempts]).toEqual([name, status, 1]);
    if (result.ok) succeeded += 1;
    else if (codes.length > 0) expect([name, result.code]).toEqual([name, codes[0]]);
  }
  // The rest is refused to an API key, as a user's own second factor.
  expect(succeeded).toBeGreaterThan(0.4 * tried.length);
});

test("an operation has a call, and a search has a loop", () => {
  const client = new Map<string, object>(Object.entries(createClient({ baseUrl: "http://localhost" })));
  expect([...client.keys()].sort()).toEqual(Object.keys(familyOperations).sort());
  for (const [family, operations] of Object.entries(familyOperations)) {
    const called = operationsOf(operations).filter(([, operation]) => !isStreamed(operation));
    const verbs = called.map(([verb]) => verb);
    const loops = verbs.includes("search") ? ["searchAll"] : [];
    expect([family, Object.keys(client.get(family) ?? {}).sort()]).toEqual([family, [...verbs, ...loops].sort()]);
  }
});

test("no word that stands where an id may stand is taken for an id", () => {
  const paths = routes.map(({ path }) => path.split("/"));
  const words = paths.flatMap((path) =>
    path.filter(
      (word, at) =>
        !word.startsWith(":") &&
        paths.some((other) => other[at]?.startsWith(":") && other.slice(0, at).join("/") === path.slice(0, at).join("/")),
    ),
  );
  expect(words).toEqual(expect.arrayContaining(["search", "member", "two-factor", "replay"]));
  for (const word of words) expect(word).toMatch(/^[a-z-]{1,25}$/i);
});

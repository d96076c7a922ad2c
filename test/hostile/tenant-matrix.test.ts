import { SignJWT } from "jose";
import { globalScope } from "latchkey";
import { expect } from "vitest";
import { type AnyOperation, defineOperation } from "../../src/operations/operation.js";
import { routes, tables } from "../../src/resources/index.js";
import { defineRoute, type Route } from "../../src/route/define-route.js";
import { type Answer, codesOf, expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { idsOf, type MatrixRequest, type Stage, setStage, toRequest } from "../support/matrix-stage.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

/** Set this once the permissions of a client's token amount to something on this API. */
const clientsHaveGrants = false;
/** The entity that stands for this API (option `apiEntityId`). */
const apiEntityId = uuid(900);

type TenantName = "A" | "B";
type Scope = TenantName | "all";

interface MatrixCaller {
  readonly name: string;
  readonly kind: "key" | "user" | "client";
  readonly tenant: TenantName | undefined;
  readonly caller: Caller;
}

interface Cell {
  readonly route: Route<AnyOperation>;
  readonly who: MatrixCaller;
  readonly header: TenantName | undefined;
  readonly record: TenantName;
}

// Kinds of access that few endpoints have are tried on endpoints of our own.
const answerScope = defineOperation("tests.scope", [], async ({ scope }) => ({ status: 200, json: JSON.stringify(scope) }));
for (const access of ["token", "tenantOrUser", "optional"] as const)
  (routes as Route<AnyOperation>[]).push(
    defineRoute({ method: "GET", path: `/api/tests-${access}`, access, target: answerScope }),
  );

/** What hands out tokens or proves something refuses dry runs. */
const refusesTrials = new Set(["logins.ping", "logins.changePassword", "jwt.refresh"]);

/** Whom the declaration of a route lets in, and what for; undefined for nobody. */
function expectedScope({ route, who, header }: Cell): Scope | undefined {
  const { access, method, target } = route;
  if (access === "public") return header ?? "all";
  if (access === "global" || access === "local")
    return who.kind === "key" && who.tenant === undefined && header === undefined ? "all" : undefined;
  const kinds: Readonly<Record<MatrixCaller["kind"], boolean>> = {
    key: access !== "token",
    user: access === "token" || access === "tenantOrUser",
    client: access === "token" || (clientsHaveGrants && access !== "keyManager"),
  };
  if (!kinds[who.kind]) return undefined;
  if (who.tenant !== undefined && header !== undefined && who.tenant !== header) return undefined;
  if (access === "shared") return who.tenant === undefined || method === "GET" ? "all" : undefined;
  // Which tenants there are is the business of callers that are bound to none.
  if (who.tenant !== undefined && /^tenants\.(create|remove)$/.test(target.name)) return undefined;
  return who.tenant ?? header ?? "all";
}

async function startMatrix(world: World): Promise<{
  readonly stages: Readonly<Record<TenantName, Stage>>;
  readonly callers: readonly MatrixCaller[];
}> {
  const A = await setStage(world, world.defaultTenantId);
  const B = await setStage(world, await makeTenant(world, "Other"), A);
  for (const stage of [A, B])
    await world.identity.apiKeys.create({
      apiKey: { key: `key-of-${stage.tenantId}`, tenantId: stage.tenantId, keyManager: true },
    });
  const sign = await createSigner(world);
  const user = await sign(A.records.get("users")?.params.userId ?? "", { tid: A.tenantId, tty: "at" }, {});
  const permissions = [...new Set(routes.map(({ method, endpoint }) => `${method}:${endpoint}`))];
  const claims = { tid: A.tenantId, aud: apiEntityId, permissions: { [apiEntityId]: permissions } };
  const client = await sign(A.records.get("entities")?.params.entityId ?? "", claims, { gty: ["client_credentials"] });
  return {
    stages: { A, B },
    callers: [
      { name: "global key", kind: "key", tenant: undefined, caller: world.caller },
      { name: "key of A", kind: "key", tenant: "A", caller: world.as(`key-of-${A.tenantId}`) },
      { name: "key of B", kind: "key", tenant: "B", caller: world.as(`key-of-${B.tenantId}`) },
      { name: "user of A", kind: "user", tenant: "A", caller: world.as(`Bearer ${user}`) },
      { name: "client of A", kind: "client", tenant: "A", caller: world.as(`Bearer ${client}`) },
    ],
  };
}

/** Signs tokens with a key that the service has taken in, by a library that is not ours. */
async function createSigner(world: World): Promise<(sub: string, claims: object, header: object) => Promise<string>> {
  const secret = "a secret of the matrix that is long enough";
  expectOk(
    await world.caller.post("/api/key/import", { key: { name: "Of the matrix", kid: "matrix", algorithm: "HS256", secret } }),
  );
  return (sub, claims, header) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "HS256", kid: "matrix", ...header })
      .setSubject(sub)
      .setExpirationTime(Math.floor(world.clock.instant / 1_000) + 3_600)
      .sign(Buffer.from(secret));
}

function send(
  caller: Caller,
  stages: Readonly<Record<TenantName, Stage>>,
  header: TenantName | undefined,
  request: MatrixRequest,
): Promise<Answer> {
  const bound = header === undefined ? caller : caller.inTenant(stages[header].tenantId);
  // Of the documents of PATCH the one that says again what is there already.
  return bound.send(request.method, request.url, request.body, {
    ...(request.method === "PATCH" && { "content-type": "application/merge-patch+json" }),
  });
}

/** What two answers to the same call have in common, fresh values and measurements apart. */
function gist(answer: Answer, method: string): unknown {
  const isJson = answer.headers["content-type"]?.startsWith("application/json") === true;
  if (answer.status >= 400)
    return [answer.status, isJson ? codesOf(answer).map((code) => code.replace(/\[[\da-f-]{36}\]/, "")) : answer.text];
  return [answer.status, method === "GET" && isJson ? answer.text : ""];
}

async function snapshot(world: World): Promise<unknown> {
  // Logins are events, and set an instant that stands still.
  const kept = tables.filter((table) => table.name !== "apiKeyUses" && table.name !== "events");
  const records = await Promise.all(kept.map((table) => world.storage.find(globalScope, table, undefined)));
  return records.map((ofTable) => ofTable.map(({ id, json, hidden }) => ({ id, json, hidden })));
}

forEachStorage((start) => {
  requirement("tenant-scope.matrix", "every endpoint answers every caller as its declaration says", async () => {
    // The same answer each time: nobody is slowed or refused for trying often.
    const world = await start({ throttle: false });
    const { stages, callers } = await startMatrix(world);
    const before = await snapshot(world);
    const wrong: string[] = [];
    let cells = 0;
    const reference = createReference(world, stages);
    for (const route of routes)
      for (const record of ["A", "B"] as const)
        for (const who of callers)
          for (const header of [undefined, "A", "B"] as const) {
            cells++;
            const fault = await findFault({ route, who, header, record }, stages, reference);
            if (fault !== undefined)
              wrong.push(`${route.method} ${route.path}, ${who.name}, header ${header}, record of ${record}: ${fault}`);
          }
    console.info(`${routes.length} endpoints, ${cells} cells, ${wrong.length} wrong`);
    expect(wrong).toEqual([]);
    expect(cells).toBe(routes.length * 30);
    expect(await snapshot(world)).toEqual(before);
    expect(world.log).toEqual([]);
  });

  requirement(
    ["tenant-scope.matrix", "tenant-scope.foreign"],
    "a foreign record is answered as one that is not there, and an own one is",
    async () => {
      const world = await start({ throttle: false });
      const { stages } = await startMatrix(world);
      const reference = createReference(world, stages);
      const wrong: string[] = [];
      for (const route of routes) {
        const request = toRequest(route, stages.B);
        const place = `${route.method} ${route.path}`;
        const known = [await reference(route, "all", "B")];
        if (!["global", "local"].includes(route.access)) {
          known.push(await reference(route, "B", "B"));
          const foreign = await reference(route, "A", "B");
          const missing = await send(world.caller, stages, "A", withoutIdsOf(stages.B, request));
          if (JSON.stringify(gist(foreign, "")) !== JSON.stringify(gist(missing, "")))
            wrong.push(`${place}: ${foreign.status} ${foreign.text} is not ${missing.status} ${missing.text}`);
        }
        const statuses = known.map((answer) => answer.status);
        if (!statuses.some((status) => status < 300) && !refusesTrials.has(route.target.name) && route.access !== "token")
          wrong.push(`${place} never succeeds: ${known.map((answer) => `${answer.status} ${answer.text}`)}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});

type Reference = (route: Route<AnyOperation>, scope: Scope, record: TenantName) => Promise<Answer>;

/** What a global key is answered that names the scope by header: all who are let in for a scope are answered the same. */
function createReference(world: World, stages: Readonly<Record<TenantName, Stage>>): Reference {
  const known = new Map<string, Answer>();
  return async (route, scope, record) => {
    const key = `${route.method} ${route.path} ${scope} ${record}`;
    const header = scope === "all" ? undefined : scope;
    const caller = route.access === "public" ? new Caller(world.identity, {}) : world.caller;
    const answer = known.get(key) ?? (await send(caller, stages, header, toRequest(route, stages[record])));
    known.set(key, answer);
    return answer;
  };
}

async function findFault(
  cell: Cell,
  stages: Readonly<Record<TenantName, Stage>>,
  reference: Reference,
): Promise<string | undefined> {
  const { route, who, header, record } = cell;
  const request = toRequest(route, stages[record]);
  const answer = await send(who.caller, stages, header, request);
  const scope = expectedScope(cell);
  if (scope === undefined)
    return answer.status === 401 && answer.text === "" ? undefined : `${answer.status} ${answer.text} instead of 401`;
  if (answer.status === 401) return "401 although it is let in";
  const leak = scope === "all" ? undefined : findLeak(answer, request, stages[scope === "A" ? "B" : "A"]);
  if (leak !== undefined) return `shows ${leak} of another tenant`;
  // What is answered to a token is about its holder, whom no key stands for.
  if (route.access === "token" || who.kind === "user") return undefined;
  const [ours, theirs] = [answer, await reference(route, scope, record)].map((one) => JSON.stringify(gist(one, route.method)));
  return ours === theirs ? undefined : `${ours} instead of ${theirs}`;
}

function findLeak(answer: Answer, request: MatrixRequest, other: Stage): string | undefined {
  const asked = `${request.url} ${JSON.stringify(request.body)}`;
  // Some records that all tenants share are named after one of them.
  const shown = answer.text.replaceAll(/"name":"[^"]*"/g, "");
  return idsOf(other).find((id) => shown.includes(id) && !asked.includes(id));
}

function withoutIdsOf(stage: Stage, request: MatrixRequest): MatrixRequest {
  const text = idsOf(stage).reduce((left, id, index) => left.replaceAll(id, uuid(5_000 + index)), JSON.stringify(request));
  return JSON.parse(text) as MatrixRequest;
}

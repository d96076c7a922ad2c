import { defaultApiEntityId as apiEntityId, type IdentityServiceOptions } from "latchkey";
import { globalScope } from "latchkey/ports";
import { expect } from "vitest";
import { routes, tables } from "../../src/families/index.js";
import { defineRoute, type Route } from "../../src/http/route/define-route.js";
import { type AnyOperation, defineOperation } from "../../src/operations/operation.js";
import { addRoutes } from "../support/added-routes.js";
import { type Answer, gist } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { anybody, claimsOf } from "../support/logins.js";
import { createSigner, headersOf } from "../support/matrix-flows.js";
import { idsOf, type MatrixRequest, type Stage, setStage, toRequest } from "../support/matrix-stage.js";
import { requirement } from "../support/requirement.js";
import { unexpectedOf } from "../support/unexpected-log.js";
import { bootstrapKey, forEachStorage, makeTenant, type Start, startWorld, uuid, type World } from "../support/world.js";

type TenantName = "A" | "B";
type Scope = TenantName | "all";

type MatrixRoute = Route<AnyOperation>;

interface MatrixCaller {
  readonly name: string;
  readonly kind: "key" | "user" | "client";
  readonly tenant: TenantName | undefined;
  readonly credential: string;
}

interface Matrix {
  readonly world: World;
  readonly stages: Readonly<Record<TenantName, Stage>>;
  readonly callers: readonly MatrixCaller[];
}

interface Cell {
  readonly route: MatrixRoute;
  readonly who: MatrixCaller;
  readonly header: TenantName | undefined;
  readonly record: TenantName;
}

// Kinds of access that few endpoints have are tried on endpoints of our own.
const answerScope = defineOperation("tests.scope", [], async ({ scope }) => ({ status: 200, json: JSON.stringify(scope) }));
const answerRoute = { method: "GET", target: answerScope } as const;
const rare = ["token", "tenantOrUser", "optional", "optionalOrUser"] as const;
addRoutes(rare.map((access) => defineRoute({ ...answerRoute, path: `/api/tests-${access}`, access })));

/** What hands out tokens or proves something refuses dry runs. */
const refusing =
  "logins.ping logins.changePassword jwt.refresh passkeys.assert passkeys.login passwordless.login twoFactor.login twoFactor.start oauth2.token";
const ofProviders = ["identityProviders.login", "identityProviders.reconcile", "identityProviders.start"];
const refusesTrials = new Set([...refusing.split(" "), ...ofProviders]);

/** No provider of the stage has domains: test/identity-providers looks them up. */
const withoutDomains = "identityProviders.lookup";

/** What needs no transport of mails before 1.26.0 only, and is tried in such a version too. */
const endedCalls = ["twoFactor.send", "twoFactor.sendForLogin"];

/** Needs a passkey of the user: test/resources/passkeys-second-factor.test.ts has one. */
const withoutPasskeys = "twoFactor.startPasskey";

/** Where the header says who the client is, and not who calls. */
const readsHeader = new Set(["oauth2.token"]);

/** What is new each time that it is asked for. */
const answersAnew = new Set(["importJobs.list", "importJobs.retrieve", "twoFactor.secret"]);

/** Whom the declaration of a route lets in, and what for; undefined for nobody. */
function expectedScope({ route, who, header }: Cell): Scope | undefined {
  const { access, method, target } = route;
  if (access === "public") return header ?? "all";
  if (access === "global" || access === "local")
    return who.kind === "key" && who.tenant === undefined && header === undefined ? "all" : undefined;
  const kinds: Readonly<Record<MatrixCaller["kind"], boolean>> = {
    key: access !== "token" && access !== "user",
    user: ["optionalOrUser", "tenantOrUser", "token", "user"].includes(access),
    client: access !== "keyManager" && access !== "user",
  };
  if (!kinds[who.kind]) return undefined;
  if (who.tenant !== undefined && header !== undefined && who.tenant !== header) return undefined;
  if (access === "shared") return who.tenant === undefined || method === "GET" ? "all" : undefined;
  // Which tenants there are is the business of callers that are bound to none.
  if (who.tenant !== undefined && /^tenants\.(create|remove)$/.test(target.name)) return undefined;
  return who.tenant ?? header ?? "all";
}

async function startMatrix(world: World): Promise<Matrix> {
  const A = await setStage(world, world.defaultTenantId);
  const B = await setStage(world, await makeTenant(world, "Other"), A);
  for (const stage of [A, B])
    await world.identity.apiKeys.create({
      apiKey: { key: `key-of-${stage.tenantId}`, tenantId: stage.tenantId, keyManager: true },
    });
  const sign = await createSigner(world);
  const user = await sign(A.records.get("users")?.params.userId ?? "", { iss: "latchkey", tid: A.tenantId, tty: "at" }, {});
  const permissions = [...new Set(routes.map(({ method, endpoint }) => `${method}:${endpoint}`))];
  const claims = { iss: "latchkey", tid: A.tenantId, aud: apiEntityId, permissions: { [apiEntityId]: permissions } };
  const client = await sign(A.records.get("entities")?.params.entityId ?? "", claims, { gty: ["client_credentials"] });
  return {
    world,
    stages: { A, B },
    callers: [
      { name: "global key", kind: "key", tenant: undefined, credential: bootstrapKey },
      { name: "key of A", kind: "key", tenant: "A", credential: `key-of-${A.tenantId}` },
      { name: "key of B", kind: "key", tenant: "B", credential: `key-of-${B.tenantId}` },
      { name: "user of A", kind: "user", tenant: "A", credential: `Bearer ${user}` },
      { name: "client of A", kind: "client", tenant: "A", credential: `Bearer ${client}` },
    ],
  };
}

function send(caller: Caller, stages: Matrix["stages"], header: TenantName | undefined, request: MatrixRequest): Promise<Answer> {
  const bound = header === undefined ? caller : caller.inTenant(stages[header].tenantId);
  // Of the documents of PATCH the one that says again what is there already.
  return bound.send(request.method, request.url, request.body, {
    ...(request.method === "PATCH" && { "content-type": "application/merge-patch+json" }),
    ...headersOf(request.body),
  });
}

async function snapshot(world: World): Promise<unknown> {
  // Logins are events and records, and set an instant that stands still; a dry run of an import is a job.
  const kept = tables.filter(
    (table) => !["apiKeyUses", "events", "importJobs", "importParts", "loginRecords"].includes(table.name),
  );
  const records = await Promise.all(kept.map((table) => world.storage.find(globalScope, table, undefined)));
  return records.map((ofTable) => ofTable.map(({ id, json, hidden }) => ({ id, json, hidden })));
}

/** The same answer each time: nobody is slowed or refused for trying often. Messages would go nowhere. */
const options: Partial<IdentityServiceOptions> = {
  throttle: false,
  sendSms: async () => ({ kind: "ok" }),
  mail: async () => ({ kind: "ok" }),
};

forEachStorage((start) => {
  requirement(
    ["tenant-scope.matrix", "tenant-scope.foreign"],
    "every endpoint answers every caller as its declaration says, and a foreign record as one that is not there",
    async () => {
      const world = await start(options);
      const matrix = await startMatrix(world);
      const before = await snapshot(world);
      const { cells, wrong } = await tryCells(matrix, routes);
      console.info(`${routes.length} endpoints, ${cells} cells, ${wrong.length} wrong`);
      expect(wrong).toEqual([]);
      expect(cells).toBe(routes.length * 30);
      expect(await snapshot(world)).toEqual(before);
      expect(unexpectedOf(world.log)).toEqual([]);
      const unable = new Set([...refusesTrials, ...endedCalls, withoutDomains, withoutPasskeys]);
      expect(await findWrongAboutB(matrix, routes, unable)).toEqual([]);
    },
  );

  requirement(
    ["tenant-scope.matrix", "two-factor.credentials"],
    "the endpoints of second factors do so in a version before 1.26.0",
    async () => {
      const { old, matrix } = await startLegacy(start);
      const before = await snapshot(old);
      const { cells, wrong } = await tryCells(matrix, legacyRoutes);
      console.info(`before 1.26.0: ${legacyRoutes.length} endpoints, ${cells} cells, ${wrong.length} wrong`);
      expect(wrong).toEqual([]);
      expect([legacyRoutes.length, cells]).toEqual([8, legacyRoutes.length * 30]);
      expect(await findWrongAboutB(matrix, legacyRoutes, refusesTrials)).toEqual([]);
      expect(await snapshot(old)).toEqual(before);
      expect(unexpectedOf(old.log)).toEqual([]);
    },
  );
});

const newCalls = new Set(["checkStatus", "makeRecoveryCodes", "recoveryCodes", "start", "startPasskey", "status", "update"]);
const legacyRoutes = routes.filter(({ path, target }) => /\/two-factor/.test(path) && !newCalls.has(target.name.slice(10)));

/** A service of an old version on what a new one has stored: its records, its keys, and the tokens of its callers. */
async function startLegacy(start: Start): Promise<{ readonly old: World; readonly matrix: Matrix }> {
  const world = await start(options);
  const { stages, callers } = await startMatrix(world);
  const old = await startWorld(world.storage, { ...options, version: "1.25.0", clock: world.clock.now });
  return { old, matrix: { world: old, stages, callers } };
}

async function tryCells(
  matrix: Matrix,
  of: readonly MatrixRoute[],
): Promise<{ readonly cells: number; readonly wrong: string[] }> {
  const wrong: string[] = [];
  let cells = 0;
  const reference = createReference(matrix);
  for (const route of of)
    for (const record of ["A", "B"] as const)
      for (const who of matrix.callers)
        for (const header of [undefined, "A", "B"] as const) {
          cells++;
          const fault = await findFault({ route, who, header, record }, matrix, reference);
          if (fault !== undefined)
            wrong.push(`${route.method} ${route.path}, ${who.name}, header ${header}, record of ${record}: ${fault}`);
        }
  return { cells, wrong };
}

async function findWrongAboutB(
  matrix: Matrix,
  of: readonly MatrixRoute[],
  neverSucceed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const { world, stages } = matrix;
  const reference = createReference(matrix);
  for (const route of of) {
    const { access, target } = route;
    const request = toRequest(route, stages.B);
    const place = `${route.method} ${route.path}`;
    const known = [await reference(route, "all", "B")];
    if (access !== "global" && access !== "local") {
      known.push(await reference(route, "B", "B"));
      const foreign = await reference(route, "A", "B");
      const missing = await send(world.caller, stages, "A", withoutIdsOf(stages.B, request));
      if (!readsHeader.has(target.name) && JSON.stringify(gist(foreign, "")) !== JSON.stringify(gist(missing, "")))
        wrong.push(`${place}: ${foreign.status} ${foreign.text} is not ${missing.status} ${missing.text}`);
    }
    if (!known.some(({ status }) => status < 300) && !neverSucceed.has(target.name) && access !== "token" && access !== "user")
      wrong.push(`${place} never succeeds: ${known.map((answer) => `${answer.status} ${answer.text}`)}`);
  }
  return wrong;
}

type Reference = (route: MatrixRoute, scope: Scope, record: TenantName) => Promise<Answer>;

/** What a global key is answered that names the scope by header: all who are let in for a scope are answered the same. */
function createReference({ world, stages }: Matrix): Reference {
  const known = new Map<string, Answer>();
  return async (route, scope, record) => {
    const key = `${route.method} ${route.path} ${scope} ${record}`;
    const header = scope === "all" ? undefined : scope;
    const caller = route.access === "public" ? anybody(world) : world.caller;
    const answer = known.get(key) ?? (await send(caller, stages, header, toRequest(route, stages[record])));
    known.set(key, answer);
    return answer;
  };
}

async function findFault(cell: Cell, { world, stages }: Matrix, reference: Reference): Promise<string | undefined> {
  const { route, who, header, record } = cell;
  const request = toRequest(route, stages[record]);
  const caller = readsHeader.has(route.target.name) ? anybody(world) : world.as(who.credential);
  const answer = await send(caller, stages, header, request);
  const scope = expectedScope(cell);
  // Clients get a refusal as OAuth puts it.
  const isTextRight = route.access === "client" ? answer.text.includes('"invalid_client"') : answer.text === "";
  if (scope === undefined)
    return answer.status === 401 && isTextRight ? undefined : `${answer.status} ${answer.text} instead of 401`;
  if (answer.status === 401) return "401 although it is let in";
  const leak = scope === "all" ? undefined : findLeak(answer, request, stages[scope === "A" ? "B" : "A"]);
  if (leak !== undefined) return `shows ${leak} of another tenant`;
  // What is answered to a token is about its holder, whom no key stands for.
  if (route.access === "token" || who.kind === "user") return undefined;
  const method = answersAnew.has(route.target.name) ? "" : route.method;
  const [ours, theirs] = [answer, await reference(route, scope, record)].map((one) => JSON.stringify(gist(one, method)));
  return ours === theirs ? undefined : `${ours} instead of ${theirs}`;
}

function findLeak(answer: Answer, request: MatrixRequest, other: Stage): string | undefined {
  const asked = `${request.url} ${JSON.stringify(request.body)} ${claimsIn(request)}`;
  // Some records that all tenants share are named after one of them.
  const shown = answer.text.replaceAll(/"name":"[^"]*"/g, "");
  return idsOf(other).find((id) => shown.includes(id) && !asked.includes(id));
}

// Who sends a token can read it.
function claimsIn({ body }: MatrixRequest): string {
  const token = typeof body === "string" ? new URLSearchParams(body).get("token") : null;
  return token === null ? "" : JSON.stringify(claimsOf(token));
}

function withoutIdsOf(stage: Stage, request: MatrixRequest): MatrixRequest {
  const text = idsOf(stage).reduce((left, id, index) => left.replaceAll(id, uuid(5_000 + index)), JSON.stringify(request));
  return JSON.parse(text) as MatrixRequest;
}

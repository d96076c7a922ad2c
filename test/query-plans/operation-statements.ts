// The SQL that each operation issues, recorded while every route is called on records of a stage.
import type { InjectedRequest } from "latchkey";
import type { Storage } from "latchkey/ports";
import { expect } from "vitest";
import { routes } from "../../src/families/index.js";
import type { Route } from "../../src/http/route/define-route.js";
import type { AnyOperation } from "../../src/operations/operation.js";
import { drain } from "../support/every-operation.js";
import { logInWith, providerId, startWithProvider } from "../support/identity-providers.js";
import { anybody, ids } from "../support/logins.js";
import { formHeaders, headersOf } from "../support/matrix-flows.js";
import { type MatrixRequest, type Stage, setStage, toRequest } from "../support/matrix-stage.js";
import { bootstrapKey, makeTenant, startWorld, type World } from "../support/world.js";
import { refused } from "./exceptions.js";

/** A statement, the parameters of its first call, and who issues it. */
export interface RecordedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly operations: Set<string>;
}

/** Statements by their SQL, while they are recorded. */
export class StatementLog {
  readonly #statements = new Map<string, RecordedStatement>();
  /** Who issues the statements that come next; without, they are not recorded. */
  operation: string | undefined;

  get statements(): readonly RecordedStatement[] {
    return [...this.#statements.values()];
  }

  add(sql: string, parameters: readonly unknown[]): void {
    if (this.operation === undefined || !/^(select|update|delete|with)\b/.test(sql)) return;
    const statement = this.#statements.get(sql) ?? { sql, parameters: [...parameters], operations: new Set() };
    this.#statements.set(sql, statement);
    statement.operations.add(this.operation);
  }
}

/** What the operations answered: their statuses. */
export type Statuses = ReadonlyMap<string, readonly number[]>;

/** One call of an operation; answers its status. */
type Call = readonly [operation: string, send: () => Promise<number>];

/**
 * Starts a service on a storage. Calls every operation, as a dry run and in earnest, then does the background work, and records their statements. `onStage` is called between
 * the stage and the first call.
 */
export async function recordOperations(
  storage: Storage,
  log: StatementLog,
  onStage: (stage: Stage) => void | Promise<void>,
): Promise<Statuses> {
  const sent = async () => ({ kind: "ok" }) as const;
  const fields = { domains: ["acme.example"] };
  const world = await startWithProvider((options) => startWorld(storage, options), {
    options: { mail: sent, sendSms: sent },
    fields,
  });
  world.script.user = { email: "ann@acme.example" };
  const stage = await setStage(world, await makeTenant(world, "Staged"));
  await onStage(stage);
  const statuses = new Map<string, number[]>();
  const { dry, real } = listCalls(world, stage);
  // Before a change of the password, which ends the message.
  for (const [operation, send] of [...(await listOthers(world, stage)), ...dry, ...listPasswordless(world, stage), ...real]) {
    log.operation = operation;
    statuses.set(operation, [...(statuses.get(operation) ?? []), await send()]);
  }
  log.operation = "background";
  await world.identity.settle();
  log.operation = undefined;
  return statuses;
}

/** Expects that each operation answered with success at least once, or is known to refuse, and then after a statement. */
export function expectAll(statuses: Statuses, log: StatementLog): void {
  const names = [...new Set(routes.map(({ target }) => target.name))];
  const failed = names.filter((name) => !statuses.get(name)?.some((status) => status < 400));
  expect(failed.toSorted()).toEqual(Object.keys(refused).toSorted());
  const issuers = new Set(log.statements.flatMap(({ operations }) => [...operations]));
  expect(failed.filter((name) => !issuers.has(name))).toEqual([]);
}

// What removes comes last.
function listCalls({ identity }: World, stage: Stage): Readonly<Record<"dry" | "real", readonly Call[]>> {
  const requests = routes.map((route) => ({ route, request: toRequest(route, stage) }));
  const real = requests.map(({ request, route }) => ({
    route,
    request: { ...request, url: request.url.replace(/[?&]dryRun=true/, "") },
  }));
  const isRemoval = ({ route }: (typeof real)[number]): boolean => route.method === "DELETE";
  const toCall = ({ request, route }: (typeof real)[number]): Call => [
    route.target.name,
    async () => {
      const { status, stream } = await identity.inject(toInjected(route, request, stage.tenantId));
      await drain(stream);
      return status;
    },
  ];
  const ordered = [...real.filter((one) => !isRemoval(one)), ...real.filter(isRemoval)];
  return { dry: requests.map(toCall), real: ordered.map(toCall) };
}

function listPasswordless(world: World, { records, tenantId }: Stage): readonly Call[] {
  const { login, send } = records.get("passwordless")?.bodies ?? {};
  const { verifyEmail } = records.get("verifications")?.bodies ?? {};
  const verify = async (): Promise<number> =>
    (await world.caller.inTenant(tenantId).post("/api/user/verify-email", verifyEmail)).status;
  return [
    // Else the message would be the first proof, which ends what others began.
    ["verifications.verifyEmail", verify],
    toPost(world, ["passwordless.send", "/api/passwordless/send", send]),
    toPost(world, ["passwordless.login", "/api/passwordless/login", login]),
  ];
}

type Post = readonly [operation: string, path: string, body: unknown];

/** A call without a credential. */
function toPost(world: World, [operation, path, body]: Post): Call {
  const send = async (): Promise<number> =>
    (await anybody(world).send("POST", path, body, typeof body === "string" ? formHeaders : {})).status;
  return [operation, send];
}

// What takes other credentials than an API key, and logins by the provider of the tests.
async function listOthers(world: World, { records }: Stage): Promise<readonly Call[]> {
  const login = await world.caller.post("/api/login", { ...records.get("logins")?.body, noJWT: false });
  const user = anybody(world, { Authorization: `Bearer ${login.textAt("token")}` });
  const { assert, login: ofPasskey } = records.get("passkeys")?.bodies ?? {};
  const ofProvider = { applicationId: ids.application, identityProviderId: providerId };
  const posts: readonly Post[] = [
    ["oauth2.token", "/oauth2/token", records.get("oauth2")?.bodies?.token],
    ["passkeys.assert", "/api/webauthn/assert", assert],
    ["passkeys.login", "/api/webauthn/login", ofPasskey],
    ["identityProviders.start", "/api/identity-provider/start", { ...ofProvider, redirect_uri: "https://shop.example" }],
    ["identityProviders.reconcile", "/api/jwt/reconcile", { ...ofProvider, data: { token: "right" } }],
  ];
  return [
    ...posts.map((post) => toPost(world, post)),
    ["jwt.validate", async () => (await user.get("/api/jwt/validate")).status],
    ["oauth2.userInfo", async () => (await user.get("/oauth2/userinfo")).status],
    [
      "identityProviders.lookup",
      async () => (await anybody(world).get("/api/identity-provider/lookup?domain=acme.example")).status,
    ],
    ["identityProviders.login", async () => (await logInWith(world)).status],
  ];
}

// There are several tenants, so callers who may name theirs do.
const namesTenant = new Set(["tenant", "tenantOrUser", "optional", "optionalOrUser", "user"]);

function toInjected({ access }: Route<AnyOperation>, request: MatrixRequest, tenantId: string): InjectedRequest {
  const { body, method, url } = request;
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const tenant = namesTenant.has(access) && { "x-service-tenantid": tenantId };
  const headers = { Authorization: bootstrapKey, "content-type": type, ...headersOf(body), ...tenant };
  const content = typeof body === "string" ? body : JSON.stringify(body);
  return { method, url, headers, ...(body !== undefined && { body: content }) };
}

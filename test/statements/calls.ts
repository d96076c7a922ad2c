// The calls whose statements are counted: each on a service of its own, with what it needs stored before.
import type { Storage } from "latchkey/ports";
import * as client from "openid-client";
import { expect } from "vitest";
import { createConsoleClient, setUpFirst } from "../administration/support/console-client.js";
import { Browser } from "../oidc/support/browser.js";
import { beginLogin, discover, logIn, startProvider } from "../oidc/support/provider.js";
import { createUser, patchOf, startDirectory } from "../scim/support/directory.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { callerAt } from "../support/from-address.js";
import { runJob } from "../support/import-jobs.js";
import { giveApplication, startWithRunner } from "../support/lambda-places.js";
import { arrangeLogin, claimsOf, ids, loginBody, password } from "../support/logins.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { bootstrapKey, startWorld, type World } from "../support/world.js";

/** What a call may cost. */
export interface MeasuredCall {
  readonly name: string;
  /** The most statements that it may run: reads and writes, without begin, commit and savepoints. */
  readonly most: number;
  /** In how many write transactions. */
  readonly writes: number;
  /** How many rows one call has, where the share of a row is counted. */
  readonly rows?: number;
  /** Stores what the call needs, and returns how to make one call: what comes before it is not counted. */
  readonly arrange: (storage: Storage) => Promise<Prepare>;
}

/** Does what a call needs, which is not counted, and returns the call. */
type Prepare = () => Promise<() => Promise<unknown>>;

/** Makes a call whose work before it is none. */
const always = (call: () => Promise<unknown>) => async (): Promise<() => Promise<unknown>> => call;

/** A user with a second factor; the clock moves on, since a code is good for one use. */
async function arrangeFactor(storage: Storage): Promise<World> {
  const world = await startWorld(storage);
  await arrangeLogin(world);
  const method = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
  expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, method));
  return world;
}

/** Each call comes from an address: one that the user has logged in from, or each from another. */
async function secondFactor(storage: Storage, isNewSource = false): Promise<Prepare> {
  const world = await arrangeFactor(storage);
  let calls = 0;
  return async () => {
    const caller = callerAt(world, isNewSource ? `192.0.2.${++calls}` : "192.0.2.1", { authorization: bootstrapKey });
    const waiting = await caller.post("/api/login", loginBody());
    const code = codeAt(secret, world.clock.advance(stepMs));
    const body = { code, twoFactorId: waiting.textAt("twoFactorId") };
    return async () => expectOk(await caller.post("/api/two-factor/login", body));
  };
}

async function loginWithLambda(storage: Storage): Promise<Prepare> {
  const world = await startWithRunner((options) => startWorld(storage, options));
  await arrangeLogin(world);
  await giveApplication(world, "accessTokenPopulateId", "JWTPopulate", "jwt.hello = user.email;");
  return always(async () => {
    const answer = expectOk(await world.caller.post("/api/login", loginBody()));
    expect(claimsOf(answer.textAt("token")).hello).toBe("ann@example.com");
  });
}

async function scimPatch(storage: Storage): Promise<Prepare> {
  const { call } = await startDirectory((options) => startWorld(storage, options));
  const id = await createUser(call, "ann", { emails: [{ value: "ann@example.com", primary: true }] });
  let count = 0;
  return async () => {
    const name = `Ann the ${++count}th`;
    return () => call("PATCH", `/Users/${id}`, patchOf({ op: "replace", path: "displayName", value: name }));
  };
}

async function codeExchange(storage: Storage): Promise<Prepare> {
  const config = await discover(await startProvider(storage));
  return async () => {
    const { checks, url } = await beginLogin(config);
    const ended = await logIn(new Browser(), url);
    return () => client.authorizationCodeGrant(config, ended, checks);
  };
}

const importedRows = 100;

function toUsers(run: number): readonly object[] {
  return Array.from({ length: importedRows }, (_, index) => ({ email: `user${run}-${index}@example.com`, password }));
}

async function importJob(storage: Storage): Promise<Prepare> {
  const world = await startWorld(storage);
  let run = 0;
  return async () => {
    const users = toUsers(++run);
    return () => runJob(world, users);
  };
}

async function importUsers(storage: Storage): Promise<Prepare> {
  const world = await startWorld(storage);
  let run = 0;
  return async () => {
    const users = toUsers(++run);
    return async () => expectOk(await world.caller.post("/api/user/import", { users }));
  };
}

/** A user with a record that goes along without an event: nothing of it is read. */
async function removeUser(storage: Storage): Promise<Prepare> {
  const world = await startWorld(storage);
  return async () => {
    const userId = expectOk(await world.caller.post("/api/user", { user: { username: "ann", password } })).textAt("user.id");
    expectOk(await world.caller.post("/api/user/comment", { userComment: { comment: "Called.", commenterId: userId, userId } }));
    return async () => expectEmpty(await world.caller.delete(`/api/user/${userId}?hardDelete=true`), 200);
  };
}

async function consoleList(storage: Storage): Promise<Prepare> {
  const world = await startWorld(storage);
  const browser = await createConsoleClient({}, world.identity);
  await setUpFirst(browser);
  expectOk(await world.caller.post("/api/user/import", { users: toUsers(1) }));
  const search = { queryString: "*", numberOfResults: 25, startRow: 0 };
  return always(async () => {
    const { body, status } = await browser.send("POST", "/api/user/search", { body: { search } });
    if (status !== 200) throw new Error(`${status} ${body}`);
  });
}

/** The calls, with what each may cost. */
export const measuredCalls: readonly MeasuredCall[] = [
  { name: "second factor of a login", most: 14, writes: 1, arrange: secondFactor },
  { name: "second factor from a new address", most: 15, writes: 1, arrange: (storage) => secondFactor(storage, true) },
  { name: "login with a lambda", most: 15, writes: 1, arrange: loginWithLambda },
  { name: "SCIM PATCH of a user", most: 8, writes: 1, arrange: scimPatch },
  { name: "code exchange", most: 9, writes: 1, arrange: codeExchange },
  { name: "import of users", most: 1.1, writes: 1, rows: importedRows, arrange: importUsers },
  { name: "row of an import job", most: 1, writes: 6, rows: importedRows, arrange: importJob },
  { name: "removal of a user", most: 19, writes: 1, arrange: removeUser },
  { name: "console list of users", most: 5, writes: 0, arrange: consoleList },
];

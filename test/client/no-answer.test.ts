import { ClientError, type ClientOptions, createClient, type IdentityClient, type Result } from "latchkey/client";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { fakeTime, type Listener, listenFor } from "../support/client.js";
import { eventually } from "../support/eventually.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, startWorld, uuid } from "../support/world.js";

async function clientOf(listener: Listener, options: ClientOptions = {}): Promise<IdentityClient> {
  return createClient({ baseUrl: await listenFor(listener), apiKey: bootstrapKey, runtime: fakeTime().runtime, ...options });
}

const silent: Listener = () => undefined;

const gist = (result: Result<unknown>): unknown => (result.ok ? result.value : [result.kind, result.code, result.status]);

requirement("client.no-answer", "the time of a call ends it, also in the middle of an answer", async () => {
  const hanging = await clientOf(silent, { timeoutMs: 50 });
  expect(gist(await hanging.groups.list())).toEqual(["timeout", "[timeout]", undefined]);
  const half = await clientOf((_req, res) => void res.writeHead(200).write("{"));
  expect(gist(await half.groups.list({}, { timeoutMs: 50 }))).toEqual(["timeout", "[timeout]", undefined]);
});

requirement("client.no-answer", "the signals of the client and of the call end it", async () => {
  const ofClient = new AbortController();
  let seen = 0;
  const client = await clientOf(() => void seen++, { signal: ofClient.signal });
  const ofCall = new AbortController();
  const first = client.groups.list({}, { signal: ofCall.signal });
  await eventually(() => expect(seen).toBe(1));
  ofCall.abort(new Error("Enough."));
  expect(await first).toMatchObject({ kind: "aborted", attempts: 1, cause: { message: "Enough." } });
  const second = client.groups.list();
  await eventually(() => expect(seen).toBe(2));
  ofClient.abort();
  expect(gist(await second)).toEqual(["aborted", "[aborted]", undefined]);
  expect(gist(await client.groups.list())).toEqual(["aborted", "[aborted]", undefined]);
  expect(seen).toBe(2);
});

requirement("client.no-answer", "a call that waits for its next try is ended at once", async () => {
  const controller = new AbortController();
  let waiting = false;
  // It is asked for just before the wait begins.
  const random = (): number => {
    waiting = true;
    return 1;
  };
  const options = {
    runtime: { random },
    retry: { baseMs: 60_000, maxMs: 60_000 },
    timeoutMs: 600_000,
    signal: controller.signal,
  };
  const client = await clientOf((_req, res) => void res.writeHead(503).end(), options);
  const call = client.groups.list();
  await eventually(() => expect(waiting).toBe(true));
  controller.abort();
  expect(await call).toMatchObject({ kind: "aborted", attempts: 1 });
});

requirement("client.no-answer", "a call in process is ended, too", async () => {
  const { identity } = await startWorld(memoryStorage());
  const never = createClient({ inject: () => new Promise(() => undefined), timeoutMs: 20 });
  expect(gist(await never.groups.list())).toEqual(["timeout", "[timeout]", undefined]);
  const client = createClient({ inject: identity.inject, apiKey: bootstrapKey });
  expect(gist(await client.groups.list({}, { signal: AbortSignal.abort() }))).toEqual(["aborted", "[aborted]", undefined]);
});

requirement("client.no-answer", "what is no JSON, too large or a redirect is no answer", async () => {
  const html = await clientOf((_req, res) => void res.end("<html>Welcome</html>"));
  expect(gist(await html.groups.list())).toEqual(["badAnswer", "[badAnswer]", 200]);
  const torn = await clientOf((_req, res) => void res.end('{"groups":['));
  expect(gist(await torn.groups.list())).toEqual(["badAnswer", "[badAnswer]", 200]);
  const large = await clientOf((_req, res) => void res.end(JSON.stringify({ groups: ["x".repeat(2_000)] })), {
    maxAnswerBytes: 1_000,
  });
  expect(gist(await large.groups.list())).toEqual(["badAnswer", "[badAnswer]", 200]);
  const endless = await clientOf(async (_req, res) => {
    while (!res.destroyed) await new Promise((resolve) => res.write("x".repeat(100_000), resolve));
  });
  expect(gist(await endless.groups.list({}, { timeoutMs: 20_000 }))).toEqual(["badAnswer", "[badAnswer]", 200]);
});

requirement("client.no-answer", "refusals that are not the service's have a status all the same", async () => {
  const bodies: readonly (readonly [string, string])[] = [
    ["<html>Bad gateway</html>", "[unknown]"],
    ["[]", "[unknown]"],
    ["null", "[unknown]"],
    ['{"fieldErrors":[],"generalErrors":{"code":1}}', "[unknown]"],
    ['{"fieldErrors":{"a":[null,{"code":"[blank]a"}]}}', "[blank]a"],
    ['{"generalErrors":[{"code":"[x]","message":"X"}]}', "[x]"],
    ['{"error":"invalid_request"}', "[invalid_request]"],
  ];
  for (const [body, code] of bodies) {
    const client = await clientOf((_req, res) => void res.writeHead(403).end(body));
    expect(gist(await client.groups.list())).toEqual(["refused", code, 403]);
  }
});

requirement("client.credentials", "a redirect is not followed, so that no other host gets the credential", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const seen: unknown[] = [];
    const other = await listenFor((req, res) => {
      seen.push(req.headers);
      res.end("{}");
    });
    const client = await clientOf((_req, res) => void res.writeHead(status, { location: `${other}/api/group` }).end());
    expect(gist(await client.groups.list())).toEqual(["badAnswer", "[badAnswer]", status]);
    expect(gist(await client.groups.create({ group: { name: "A" } }))).toEqual(["badAnswer", "[badAnswer]", status]);
    expect(seen).toEqual([]);
  }
});

requirement("client.no-answer", "a credential that cannot be had is a failure of its own, and nothing is sent", async () => {
  let seen = 0;
  const listener = (): void => void seen++;
  const failing = await clientOf(listener, { apiKey: () => Promise.reject(new Error("The vault is closed.")) });
  expect(await failing.groups.list()).toMatchObject({
    kind: "credential",
    attempts: 0,
    cause: { message: "The vault is closed." },
  });
  for (const value of ["", "two\nlines", "größer 😀", 7 as never, undefined as never]) {
    const client = await clientOf(listener, { apiKey: () => value });
    expect(gist(await client.groups.list())).toEqual(["credential", "[credential]", undefined]);
  }
  const hanging = await clientOf(listener, { apiKey: () => new Promise<string>(() => undefined), timeoutMs: 20 });
  expect(gist(await hanging.groups.list())).toEqual(["timeout", "[timeout]", undefined]);
  expect(seen).toBe(0);
});

requirement("client.no-answer", "a credential is asked for at each try, so that it may have changed", async () => {
  const seen: unknown[] = [];
  const keys = ["first", "second"];
  const client = await clientOf(
    (req, res) => {
      seen.push(req.headers.authorization);
      res.writeHead(seen.length === 1 ? 503 : 200).end('{"groups":[]}');
    },
    { apiKey: undefined, token: async () => keys.shift() ?? "" },
  );
  expect((await client.groups.list()).status).toBe(200);
  expect(seen).toEqual(["Bearer first", "Bearer second"]);
});

requirement("client.result", "a failure without an answer is thrown with what caused it", async () => {
  const client = await clientOf((req) => void req.socket.destroy(), { retry: false });
  const result = await client.groups.retrieve({ groupId: uuid(1) });
  const error = result.ok ? undefined : new ClientError(result);
  expect(error).toMatchObject({ kind: "network", status: undefined, message: "[network] The connection failed." });
  expect(error?.cause).toBeInstanceOf(TypeError);
});

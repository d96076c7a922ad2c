import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type ClientOptions, createClient, type IdentityClient, type Result } from "latchkey/client";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, test } from "vitest";
import { type FakeTime, fakeTime, type Listener, listenFor } from "../support/client.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { bootstrapKey, startWorld, uuid, type World } from "../support/world.js";

/** What a server does with a request. */
type Deed = Listener;

const refuse =
  (status: number, body = "", headers: Record<string, string> = {}): Deed =>
  (_req, res) =>
    void res.writeHead(status, headers).end(body);

const cut: Deed = (req) => void req.socket.destroy();

/** A 200 whose body breaks off. */
const breakOff: Deed = (_req, res) => {
  res.writeHead(200, { "content-length": "100" }).write('{"group":');
  setImmediate(() => res.destroy());
};

interface Flapping extends FakeTime {
  readonly client: IdentityClient;
  readonly world: World;
  /** Method and URL of each request that came. */
  readonly seen: string[];
}

/** A service behind a server that does something else with the first requests. */
async function startFlapping(deeds: readonly Deed[], options: ClientOptions = {}): Promise<Flapping> {
  const world = await startWorld(memoryStorage());
  const serve = nodeHandler(world.identity);
  const seen: string[] = [];
  const baseUrl = await listenFor(async (req, res) => {
    seen.push(`${req.method} ${req.url}`);
    await (deeds[seen.length - 1] ?? serve)(req, res);
  });
  const time = fakeTime();
  return { ...time, world, seen, client: createClient({ baseUrl, apiKey: bootstrapKey, runtime: time.runtime, ...options }) };
}

/** Does what is asked, and loses the answer. */
const doAndCut =
  (world: () => World): Deed =>
  async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    await world().caller.send(req.method ?? "", req.url ?? "", JSON.parse(body), {
      "content-type": req.headers["content-type"] ?? "",
    });
    res.destroy();
  };

const gist = ({ attempts, ok, status, ...rest }: Result<unknown>): unknown => [
  ok || (rest as { kind: string }).kind,
  status,
  attempts,
];

const errorsBody = (code: string): string => JSON.stringify({ fieldErrors: {}, generalErrors: [{ code, message: "No." }] });

requirement("client.retry", "a read is tried again after 503, 502 and lost connections, with growing waits", async () => {
  const { client, seen, waits } = await startFlapping([refuse(503), cut, refuse(502)]);
  expect(gist(await client.groups.list())).toEqual([true, 200, 4]);
  expect([seen.length, waits]).toEqual([4, [100, 200, 400]]);
});

requirement("client.retry", "the number of tries is bounded, and the last refusal is the result", async () => {
  const { client, seen } = await startFlapping(Array(9).fill(refuse(503, errorsBody("[storageUnavailable]"))));
  const result = await client.groups.list();
  expect([gist(result), result.ok || result.code, seen.length]).toEqual([["refused", 503, 4], "[storageUnavailable]", 4]);
});

requirement("client.retry", "half of a wait is chance, and none is longer than the longest", async () => {
  const { runtime, waits } = fakeTime();
  const baseUrl = await listenFor(refuse(503));
  const client = createClient({
    baseUrl,
    retry: { attempts: 6, baseMs: 10, maxMs: 50 },
    runtime: { ...runtime, random: () => 0 },
  });
  expect((await client.groups.list()).attempts).toBe(6);
  expect(waits).toEqual([5, 10, 20, 25, 25]);
});

requirement("client.retry", "Retry-After is waited for beside the client's own wait", async () => {
  const { client, waits } = await startFlapping([
    refuse(429, errorsBody("[tooManyAttempts]"), { "retry-after": "3" }),
    refuse(503, "", { "retry-after": new Date(Date.UTC(2030, 0, 1) + 10_000).toUTCString() }),
    refuse(429, "", { "retry-after": "soon" }),
  ]);
  expect(gist(await client.groups.list())).toEqual([true, 200, 4]);
  expect(waits).toEqual([3_100, 6_900 + 200, 400]);
});

requirement("client.retry", "what the deadline leaves no time for is answered at once", async () => {
  const { client, seen, waits } = await startFlapping([refuse(429, "", { "retry-after": "31" })]);
  expect(await client.groups.list()).toMatchObject({ ok: false, status: 429, retryAfterMs: 31_000, attempts: 1 });
  expect([seen.length, waits]).toEqual([1, []]);
});

requirement("client.retry", "retries any request after a retryable conflict, and after no other conflict", async () => {
  const retryable = await startFlapping([refuse(409, errorsBody("[retryableConflict]"))]);
  expect(gist(await retryable.client.groups.create({ group: { name: "A" } }))).toEqual([true, 200, 2]);
  const other = await startFlapping([refuse(409, errorsBody("[conflict]"))]);
  expect(gist(await other.client.groups.create({ group: { name: "A" } }))).toEqual(["refused", 409, 1]);
});

requirement("client.retry", "without retries, and after lasting refusals, there is one request", async () => {
  const without = await startFlapping([refuse(503)], { retry: false });
  expect(gist(await without.client.groups.list())).toEqual(["refused", 503, 1]);
  for (const status of [400, 403, 404, 412, 423, 500, 504]) {
    const { client, seen } = await startFlapping([refuse(status)]);
    expect([gist(await client.groups.list()), seen.length]).toEqual([["refused", status, 1], 1]);
  }
});

const name = "Editors";

requirement("client.retry-safe", "a create without an id is never sent twice when nobody knows what came of it", async () => {
  for (const deed of [cut, breakOff, refuse(503), refuse(502)]) {
    const { client, seen } = await startFlapping([deed]);
    expect((await client.groups.create({ group: { name } })).ok).toBe(false);
    expect(seen).toEqual(["POST /api/group"]);
  }
});

requirement("client.retry-safe", "a create with an id makes one record; the second time the id is taken", async () => {
  let world: World;
  const flapping = await startFlapping([doAndCut(() => world)]);
  world = flapping.world;
  const result = await flapping.client.groups.create({ groupId: uuid(1), group: { name } });
  expect(result).toMatchObject({ ok: false, code: "[duplicate]group.name", attempts: 2 });
  expect((await world.identity.groups.list()).groups.map(({ id }) => id)).toEqual([uuid(1)]);
  const quick = await startFlapping([cut]);
  expect(gist(await quick.client.groups.create({ groupId: uuid(1), group: { name } }))).toEqual([true, 200, 2]);
});

requirement("client.retry-safe", "a patch that appends is sent again with an ETag only, a merge patch always", async () => {
  const groupId = uuid(1);
  const patch = { group: { data: { tags: ["b"] } } };
  const start = async (): Promise<Flapping & { readonly ifMatch: string | undefined }> => {
    let world: World;
    const flapping = await startFlapping([doAndCut(() => world)]);
    world = flapping.world;
    const made = await world.caller.post(`/api/group/${groupId}`, { group: { name, data: { tags: ["a"] } } });
    return { ...flapping, ifMatch: made.etag };
  };
  const tagsOf = async ({ world }: Flapping): Promise<unknown> =>
    (await world.identity.groups.retrieve({ groupId })).group.data.tags;

  const bare = await start();
  expect(gist(await bare.client.groups.patch({ groupId, patch }))).toEqual(["network", undefined, 1]);
  expect(await tagsOf(bare)).toEqual(["a", "b"]);
  const any = await start();
  expect((await any.client.groups.patch({ groupId, patch }, { ifMatch: "*" })).attempts).toBe(1);
  const tagged = await start();
  expect(gist(await tagged.client.groups.patch({ groupId, patch }, { ifMatch: tagged.ifMatch }))).toEqual(["refused", 412, 2]);
  expect(await tagsOf(tagged)).toEqual(["a", "b"]);
  const merged = await start();
  expect(gist(await merged.client.groups.patch({ groupId, patch, mode: "merge" }))).toEqual([true, 200, 2]);
  expect(await tagsOf(merged)).toEqual(["b"]);
});

requirement("client.retry-safe", "what counts attempts or sends messages is sent a single time", async () => {
  const { client, seen } = await startFlapping([refuse(429), refuse(429), refuse(401), refuse(503), cut]);
  await client.logins.login({ loginId: "a", password: "b" });
  await client.jwt.refresh({ refreshToken: "r" });
  await client.twoFactor.login({ code: "123456", twoFactorId: "t" });
  await client.logins.ping({ userId: uuid(1) });
  await client.twoFactor.disable({ userId: uuid(1), code: "1" });
  expect(seen).toHaveLength(5);
});

requirement("client.retry-safe", "searches, dry runs and reads by POST are sent again", async () => {
  const { client, seen } = await startFlapping([cut]);
  expect(gist(await client.groups.search({ search: { name: "a" } }))).toEqual([true, 200, 2]);
  const dry = await startFlapping([cut]);
  expect(gist(await dry.client.groups.create({ group: { name } }, { dryRun: true }))).toEqual([true, 200, 2]);
  expect(seen).toEqual(["POST /api/group/search", "POST /api/group/search"]);
});

requirement("client.retry-safe", "retries any request that was never sent", async () => {
  const gone = await listenFor(cut);
  const refused = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
  let calls = 0;
  const failing: typeof fetch = async () => {
    calls += 1;
    throw refused;
  };
  const client = createClient({ baseUrl: gone, fetch: failing, runtime: fakeTime().runtime });
  expect(gist(await client.groups.create({ group: { name } }))).toEqual(["network", undefined, 4]);
  expect(calls).toBe(4);
});

test("the runtime's fetch says that nobody listens as the client expects it", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, runtime: fakeTime().runtime });
  expect(gist(await client.groups.create({ group: { name } }))).toEqual(["network", undefined, 4]);
});

requirement("client.new-key", "401 is tried again until the key is known", async () => {
  const { client, waits } = await startFlapping([refuse(401), refuse(401), refuse(401)]);
  expect(gist(await client.groups.create({ group: { name } }))).toEqual([true, 200, 4]);
  expect(waits).toEqual([100, 200, 400]);
});

requirement("client.new-key", "a key that another process makes meanwhile is waited for", async () => {
  const filename = join(makeDirectory(), "identity.db");
  const start = (): Promise<World> => startWorld(sqliteStorage({ filename }), { clock: Date.now });
  const [here, there] = [await start(), await start()];
  const key = "a-key-that-is-made-elsewhere-0123456789";
  const baseUrl = await listenFor(nodeHandler(here.identity));
  const client = createClient({ baseUrl, apiKey: key, retry: { attempts: 1_000, maxMs: 100, newKeyMs: 20_000 } });
  const early = await here.as(key).get("/api/group");
  const call = client.groups.create({ group: { name } });
  await there.identity.apiKeys.create({ apiKey: { key } });
  expect([early.status, (await call).status]).toEqual([401, 200]);
});

requirement(
  "client.new-key",
  "a wrong key is known as wrong after two seconds, however many tries, and at once from then on",
  async () => {
    const { client, runtime, waits, seen } = await startFlapping(Array(30).fill(refuse(401)));
    expect(gist(await client.groups.list())).toEqual(["refused", 401, 5]);
    expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThan(2_000);
    await runtime.sleep(1_000, new AbortController().signal);
    const before = seen.length;
    expect(gist(await client.groups.list())).toEqual(["refused", 401, 1]);
    expect(seen.length - before).toBe(1);
  },
);

requirement("client.new-key", "once the key was good for something, 401 is a refusal", async () => {
  const { client, seen } = await startFlapping([refuse(404), refuse(401)]);
  expect((await client.groups.retrieve({ groupId: uuid(1) })).status).toBe(404);
  expect([gist(await client.groups.list()), seen.length]).toEqual([["refused", 401, 1], 2]);
});

requirement("client.new-key", "no token and no password but an API key is too new", async () => {
  const credentials: readonly ClientOptions[] = [
    { apiKey: undefined, token: "t" },
    { apiKey: undefined, basic: { username: uuid(1), password: "p" } },
    { apiKey: undefined },
    { retry: { newKeyMs: 0 } },
  ];
  for (const options of credentials) {
    const { client, seen } = await startFlapping([refuse(401)], options);
    expect([(await client.groups.list()).status, seen.length]).toEqual([401, 1]);
  }
});

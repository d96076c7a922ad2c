import type { IdentityServiceOptions } from "latchkey";
import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { addRunRoutes, makePopulate, readLog, run, runBare, ToldRunner, withLambdas } from "../support/lambda-runs.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { type Start, startWorld, storages, type World } from "../support/world.js";

addRunRoutes();

const [[, openStorage]] = storages as [(typeof storages)[0]];
const start: Start = (options) => startWorld(openStorage(), options);
// With a runner of its own: a service closes the one that it was given.
const reaching = (): Partial<IdentityServiceOptions> => ({ ...withLambdas({ allowFetch: true }), allowPrivateNetwork: true });

/** What a lambda has in `jwt.answer` or, where it caught an error, in `jwt.error` after it called `fetch` with these arguments. */
async function fetchFrom(world: World, ...args: readonly unknown[]): Promise<Readonly<Record<string, unknown>>> {
  const given = JSON.stringify(args).slice(1, -1);
  const text = `try { jwt.answer = fetch(${given}); } catch (error) { jwt.error = error.message; }`;
  return expectOk(await run(world.caller, await makePopulate(world, text))).at("jwt") as Readonly<Record<string, unknown>>;
}

/** Calls `fetch` as a guest does for a lambda, whatever the guest would let through. */
async function startGuest(): Promise<(...args: readonly unknown[]) => Promise<string | undefined>> {
  const runner = new ToldRunner();
  const world = await start({ lambdas: { runner, allowFetch: true }, allowPrivateNetwork: true });
  await run(world.caller, await makePopulate(world, ""));
  return async (...args) => runner.runs[0]?.host?.call("fetch", JSON.stringify(args));
}

describe("fetch of a lambda", () => {
  requirement("lambda.fetch", "sends method, headers and body, and answers status, headers and body", async () => {
    const world = await start(reaching());
    const sink = await startSink((_request, response) => {
      response.writeHead(418, { "Content-Type": "text/plain", "X-Answer": "yes" }).end("Zoë");
    });
    const headers = { "content-type": "application/json", Authorization: "Bearer x", "X-Empty": "" };
    const request = { method: "patch", headers, body: '{"a":"ü"}' };
    const { answer } = await fetchFrom(world, `${sink.url}/a?b=c`, request);
    expect(answer).toMatchObject({ status: 418, headers: { "content-type": "text/plain", "x-answer": "yes" }, body: "Zoë" });
    const [received] = sink.received;
    expect(received).toMatchObject({ method: "PATCH", url: "/a?b=c", body: '{"a":"ü"}' });
    expect(received?.headers).toMatchObject({ "content-type": "application/json", authorization: "Bearer x", "x-empty": "" });
    for (const method of [undefined, "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
      expect(await fetchFrom(world, sink.url, { method })).toMatchObject({ answer: { status: 418 } });
    expect(sink.received.map(({ method }) => method)).toEqual(["PATCH", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);
  });

  requirement("lambda.fetch", "follows no redirect", async () => {
    const world = await start(reaching());
    const target = await startSink();
    const sink = await startSink((_request, response) => void response.writeHead(302, { location: target.url }).end());
    expect(await fetchFrom(world, sink.url)).toMatchObject({ answer: { status: 302, headers: { location: target.url } } });
    expect(target.received).toEqual([]);
  });

  requirement("lambda.fetch", "is there only where the host allows it and the plan has it", async () => {
    const runner = new ToldRunner();
    for (const [options, names] of [
      [{}, undefined],
      [{ lambdas: { runner } }, undefined],
      [{ lambdas: { runner, allowFetch: true } }, ["fetch"]],
      [{ lambdas: { runner, allowFetch: true }, plan: "essentials" }, ["fetch"]],
      [{ lambdas: { runner, allowFetch: true }, plan: "starter" }, undefined],
      [{ lambdas: { runner, allowFetch: true }, plan: "community" }, undefined],
    ] as const) {
      const world = await start({ lambdas: { runner }, ...options });
      await run(world.caller, await makePopulate(world, ""));
      expect([options, runner.runs.at(-1)?.host?.names]).toEqual([options, names]);
    }
  });

  requirement("lambda.fetch-limits", "refuses what is no plain call, before anything is sent", async () => {
    const fetch = await startGuest();
    const { url, received } = await startSink();
    const expectThrown = async (message: string | RegExp, ...args: readonly unknown[]): Promise<void> =>
      await expect(fetch(...args), JSON.stringify(args)).rejects.toThrow(message);
    for (const bad of [
      "",
      "/api",
      "file:///etc/passwd",
      "data:,x",
      "javascript:1",
      url.replace("http", "ftp"),
      url.replace("//", "//user:password@"),
      `${url}/ x`,
      `${url}\n/x`,
      url.replace("http:", "http:\\"),
      `${url}/${"x".repeat(8_000)}`,
      7,
      null,
    ])
      await expectThrown("fetch needs a full URL of HTTP or HTTPS without user name and password.", bad);
    for (const method of ["TRACE", "CONNECT", "GET\r\nX: y", "", {}, null, 7])
      await expectThrown(/^fetch knows the methods GET, HEAD, /, url, { method });
    for (const headers of [
      { Host: "other" },
      { "content-length": "1" },
      { "Transfer-Encoding": "chunked" },
      { connection: "close" },
      { upgrade: "h2c" },
      { "x y": "1" },
      { "x\r\ny": "1" },
      { "": "1" },
      { x: "a\r\nb: c" },
      { x: "ü" },
    ])
      await expectThrown(/^fetch cannot send the header /, url, { headers });
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, "1"]));
    for (const headers of [many, { x: "y".repeat(16_001) }])
      await expectThrown("fetch was given too many headers.", url, { headers });
    await expectThrown(/must be a string/, url, { method: "POST", body: { a: 1 } });
    for (const method of ["GET", "HEAD"]) await expectThrown(`fetch sends no body with ${method}.`, url, { method, body: "x" });
    expect(received).toEqual([]);
  });

  requirement("lambda.fetch-limits", "has bodies of a mebibyte at most, both ways", async () => {
    const fetch = await startGuest();
    let size = 1_048_576;
    const sink = await startSink((_request, response) => void response.end("x".repeat(size)));
    const send = (length: number): Promise<string | undefined> =>
      fetch(sink.url, { method: "POST", body: "ü".repeat(length / 2) });
    expect(JSON.parse((await send(1_048_576)) ?? "")).toMatchObject({ status: 200, body: "x".repeat(size) });
    await expect(send(1_048_578)).rejects.toThrow("The body of fetch has more than 1048576 bytes.");
    size += 1;
    await expect(send(2)).rejects.toThrow("The answer of fetch has more than 1048576 bytes.");
    expect(sink.received.map(({ body }) => Buffer.byteLength(body))).toEqual([1_048_576, 2]);
  });

  requirement("lambda.fetch-limits", "throws what can be caught, and passes on what is large", async () => {
    const world = await start(reaching());
    expect(await fetchFrom(world, "/api")).toEqual({ error: expect.stringContaining("fetch needs a full URL") });
    const sink = await startSink((_request, response) => void response.end("x".repeat(500_000)));
    const text = `jwt.length = fetch("${sink.url}", { method: "POST", body: "y".repeat(500000) }).body.length;`;
    expect(expectOk(await run(world.caller, await makePopulate(world, text))).at("jwt")).toEqual({ length: 500_000 });
    expect(sink.received[0]?.body).toHaveLength(500_000);
  });

  requirement("lambda.fetch-limits", "waits for two seconds at most, though bytes trickle in", async () => {
    const world = await start(reaching());
    const sink = await startSink((_request, response) => {
      const drip = setInterval(() => response.write("."), 100);
      response.on("close", () => clearInterval(drip));
    });
    const { error } = await fetchFrom(world, sink.url);
    expect(error).toBe("fetch had no whole answer within 2 seconds.");
  });

  requirement(
    "lambda.fetch-guard",
    "reaches no address of this machine, and cannot distinguish it from an unreachable host",
    async () => {
      const world = await start({ ...reaching(), allowPrivateNetwork: false });
      const sink = await startSink();
      const { port } = new URL(sink.url);
      const hosts = [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "localhost",
        "169.254.169.254",
        "10.0.0.1",
      ];
      const error = "fetch could not reach the host, or the host is not one that lambdas may call.";
      for (const host of [...hosts, "does-not-exist.invalid"])
        expect([host, await fetchFrom(world, `http://${host}:${port}/`)]).toEqual([host, { error }]);
      expect(sink.received).toEqual([]);
      expect(await fetchFrom(await start(reaching()), "http://127.0.0.1:1/")).toEqual({ error });
    },
  );

  requirement("lambda.recursion", "marks its calls, and no lambda is run for a marked one", async () => {
    const names = { service: "Acme" };
    const world = await start({ ...reaching(), names });
    const mark = "x-acme-lambda";
    const sink = await startSink();
    await fetchFrom(world, sink.url, { headers: { "X-Acme-Lambda": "forged" } });
    const [lambda] = (await world.identity.lambdas.list()).lambdas;
    const sent = String(sink.received[0]?.headers[mark]);
    expect(sent).toMatch(new RegExp(`^${lambda?.id}[.]\\d+[.][\\w-]{43}$`));
    const marked = world.caller.with({ [mark]: sent });
    const message = "A lambda that calls back the API that invoked it is refused.";
    const populate = await makePopulate(world, "jwt.a = 1;");
    const validate = await makeLambda(world, "LoginValidation");
    for (const [lambdaId, fields] of [
      [populate, {}],
      [validate, { type: "LoginValidation", arguments: { result: {} } }],
    ] as const) {
      const answer = await run(marked, lambdaId, fields);
      expectRefusal(answer, 400, "[LambdaFailed]");
      expect(answer.textAt("generalErrors.0.message")).toContain(message);
    }
    // Not even one that may fail is left out: whoever sends the header gets no token that lacks what a lambda adds.
    expect((await readLog(world)).filter((entry) => entry.message.includes(message))).toHaveLength(2);
    expect(expectOk(await run(world.caller, populate)).at("jwt")).toEqual({ a: 1 });
    const bare = await marked.post("/api/tests/runBody", {
      lambdaId: populate,
      type: "JWTPopulate",
      arguments: { jwt: {} },
    });
    expect(expectOk(bare).body).toMatchObject({ kind: "refused", message });
    expect((await runBare(world, populate)).at("kind")).toBe("ok");
    // Nobody else can mark a call, and a receiver that has seen a mark has no use for it later.
    const [id = "", end, signature = ""] = sent.split(".");
    const forged = [id, "", `${id}.${end}.${signature.slice(0, -1)}`, `${id}.${Number(end) + 1}.${signature}`];
    for (const value of forged)
      expect([value, (await run(world.caller.with({ [mark]: value }), populate)).status]).toEqual([value, 200]);
    world.clock.advance(60_000);
    expect((await run(marked, populate)).status).toBe(200);
  });
});

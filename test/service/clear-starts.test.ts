import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createIdentityService, type IdentityServiceOptions } from "latchkey";
import { kafkaBroker, natsBroker } from "latchkey/brokers";
import { fetchHandler } from "latchkey/fetch";
import { identityMiddleware } from "latchkey/koa";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { openTelemetry } from "latchkey/opentelemetry";
import { postgresStorage } from "latchkey/postgres";
import { isolatedVmRunner, nodeVmRunner, quickJsRunner } from "latchkey/runners";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished, vi } from "vitest";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { testSecret } from "../support/world.js";

/** What is thrown or rejected with. */
async function failureOf(make: () => unknown): Promise<Error> {
  try {
    await make();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("Nothing was refused.");
}

const create = (options: unknown): Promise<unknown> => createIdentityService(options as IdentityServiceOptions);
const withMemory = (options: object) => () => create({ storage: memoryStorage(), ...options });

describe("an option that does not exist", () => {
  const handler = { handle: async () => undefined };
  const wrong: readonly (readonly [place: string, make: () => unknown, message: string])[] = [
    ["the service", withMemory({ trustedProxy: [] }), "There is no option trustedProxy. Did you mean trustedProxies?"],
    [
      "delivery",
      withMemory({ delivery: { concurency: 1 } }),
      "There is no option delivery.concurency. Did you mean delivery.concurrency?",
    ],
    ["lambdas", withMemory({ lambdas: { limit: {} } }), "There is no option lambdas.limit. Did you mean lambdas.limits?"],
    [
      "lambdas.limits",
      withMemory({ lambdas: { limits: { heapMegabytes: 8 } } }),
      "There is no option lambdas.limits.heapMegabytes. Did you mean lambdas.limits.heapMebibytes?",
    ],
    ["throttle", withMemory({ throttle: { logins: {} } }), "There is no option throttle.logins. Did you mean throttle.login?"],
    [
      "throttle.login",
      withMemory({ throttle: { login: { maxFailure: 1 } } }),
      "There is no option throttle.login.maxFailure. Did you mean throttle.login.maxFailures?",
    ],
    [
      "cookies",
      withMemory({ cookies: { samesite: "Lax" } }),
      "There is no option cookies.samesite. Did you mean cookies.sameSite?",
    ],
    ["names", withMemory({ names: { brokr: "x" } }), "There is no option names.brokr. Did you mean names.broker?"],
    [
      "SQLite",
      () => sqliteStorage({ filename: ":memory:", tableprefix: "x" } as never),
      "There is no option tableprefix. Did you mean tablePrefix?",
    ],
    [
      "Postgres",
      () => postgresStorage({ connectionString: "postgres://x", maxConnection: 1 } as never),
      "There is no option maxConnection. Did you mean maxConnections?",
    ],
    ["isolated-vm", () => isolatedVmRunner({ process: 1 } as never), "There is no option process. Did you mean processes?"],
    ["QuickJS", () => quickJsRunner({ process: 1 } as never), "There is no option process. Did you mean processes?"],
    [
      "node:vm",
      () => nodeVmRunner({ threadMegabytes: 1 } as never),
      "There is no option threadMegabytes. Did you mean threadMebibytes?",
    ],
    ["node", () => nodeHandler(handler, { basepath: "/x" } as never), "There is no option basepath. Did you mean basePath?"],
    ["koa", () => identityMiddleware(handler, { base: "/x" } as never), "There is no option base. Known are basePath."],
    ["fetch", () => fetchHandler(handler, { path: "/x" } as never), "There is no option path. Known are basePath."],
    ["kafka", () => kafkaBroker({ Kafka: class {}, broker: [] } as never), "There is no option broker. Did you mean brokers?"],
    ["NATS", () => natsBroker({ header: () => undefined } as never), "There is no option header. Did you mean headers?"],
    ["telemetry", () => openTelemetry({ tracers: 1 } as never), "There is no option tracers. Did you mean tracer?"],
  ];
  for (const [place, make, message] of wrong)
    requirement("service.unknown-options", `of ${place} is refused with the nearest name`, async () => {
      const error = await failureOf(make);
      expect([error.constructor.name, error.message]).toEqual(["TypeError", message]);
    });

  requirement("service.unknown-options", "counts as absent where its value is undefined", async () => {
    const identity = await createIdentityService({
      storage: memoryStorage(),
      noSuchOption: undefined,
      delivery: { order: undefined },
    } as never);
    await identity.close();
  });
});

describe("a service that cannot start", () => {
  const wrong: readonly (readonly [name: string, options: unknown, message: RegExp])[] = [
    ["no options", undefined, /createIdentityService needs options, a storage at least: .*memoryStorage\(\)/],
    ["null", null, /createIdentityService needs options/],
    ["no storage", {}, /storage is required: pass memoryStorage\(\), sqliteStorage/],
    ["a storage that is none", { storage: "sqlite:a.db" }, /storage must be a storage: pass memoryStorage\(\)/],
    ["a storage that is a promise", { storage: Promise.resolve(memoryStorage()) }, /storage must be a storage/],
    ["half a proxy", { storage: memoryStorage(), trustedProxies: 0.5 }, /trustedProxies must be a whole number/],
    ["fewer proxies than none", { storage: memoryStorage(), trustedProxies: -1 }, /trustedProxies must be a whole number/],
    ["proxies that are a text", { storage: memoryStorage(), trustedProxies: "10.0.0.1" }, /trustedProxies must be a list/],
    [
      "a proxy that is none",
      { storage: memoryStorage(), trustedProxies: ["loopback"] },
      /trustedProxies holds loopback: each must be an IP address/,
    ],
    ["an empty key", { storage: memoryStorage(), apiKey: "" }, /apiKey must not be empty/],
    ["a group of options that is none", { storage: memoryStorage(), delivery: true }, /delivery must be an object/],
  ];
  for (const [name, options, message] of wrong)
    requirement("service.clear-errors", `is told of ${name}`, async () => {
      const error = await failureOf(() => create(options));
      expect(error.constructor.name).toBe("TypeError");
      expect(error.message).toMatch(message);
    });

  requirement("service.clear-errors", "gets the fault of the SQLite file", async () => {
    const directory = makeDirectory();
    const open = (filename: string) => () => sqliteStorage({ filename });
    const missing = await failureOf(open(`${directory}/none/identity.db`));
    expect(missing.message).toContain(`the folder ${directory}/none does not exist. Create it`);
    mkdirSync(`${directory}/folder`);
    expect((await failureOf(open(`${directory}/folder`))).message).toMatch(/folder cannot be opened: it is a folder/);
    writeFileSync(`${directory}/text.db`, "no database, but long enough to be read as the head of a file".repeat(40));
    expect((await failureOf(open(`${directory}/text.db`))).message).toMatch(/it is no SQLite database/);
    expect((await failureOf(() => sqliteStorage({} as never))).message).toMatch(/sqliteStorage needs \{ filename \}/);
    expect((await failureOf(() => sqliteStorage(undefined as never))).message).toMatch(/sqliteStorage needs \{ filename \}/);
  });

  requirement("service.clear-errors", "gets the mismatch of the secret", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    const first = await createIdentityService({ storage: sqliteStorage({ filename }), secret: testSecret, delivery: false });
    await first.close();
    const storage = sqliteStorage({ filename });
    onTestFinished(() => storage.close());
    const error = await failureOf(() => create({ storage, secret: "another secret with thirty-two characters" }));
    expect(error.message).toMatch(
      /The secret does not open what this storage keeps sealed\. Pass the secret that it was used with/,
    );
  });

  requirement("service.clear-errors", "gets an error when nothing listens at the address of Postgres", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    await new Promise((resolve) => server.close(resolve));
    const storage = postgresStorage({ connectionString: `postgres://me@127.0.0.1:${port}/identity` });
    onTestFinished(() => storage.close());
    const error = await failureOf(() => create({ storage, secret: testSecret }));
    expect(error.message).toMatch(/ECONNREFUSED .*Start the server, or correct host and port in connectionString/);
    expect((await failureOf(() => postgresStorage(undefined as never))).message).toMatch(
      /needs one of \{ connectionString \} and \{ pool \}/,
    );
  });

  const url = process.env.TEST_POSTGRES_URL;
  if (url !== undefined)
    requirement("service.clear-errors", "gets an error when the Postgres database does not exist", async () => {
      const other = new URL(url);
      other.pathname = "/no_such_database";
      const storage = postgresStorage({ connectionString: other.href });
      onTestFinished(() => storage.close());
      const error = await failureOf(() => create({ storage, secret: testSecret }));
      expect(error.message).toMatch(/database "no_such_database" does not exist\. Create the database, or correct its name/);
    });
});

describe("a short bootstrap key", () => {
  const start = async (options: Partial<IdentityServiceOptions>): Promise<readonly string[]> => {
    const warnings: string[] = [];
    const silent = (): void => undefined;
    const logger = {
      debug: silent,
      info: silent,
      error: silent,
      warn: (_fields: object, message: string) => void warnings.push(message),
    };
    const identity = await createIdentityService({ storage: memoryStorage(), logger, ...options });
    await identity.close();
    return warnings;
  };
  const [short, long] = ["x".repeat(31), "x".repeat(32)];

  requirement("service.weak-key", "is accepted with a warning, unless the host allows it", async () => {
    expect(await start({ apiKey: short })).toEqual([expect.stringMatching(/fewer than 32 characters/)]);
    expect(await start({ apiKey: short, allowWeakApiKey: true })).toEqual([]);
    expect(await start({ apiKey: long })).toEqual([]);
    expect(await start({ apiKey: () => undefined })).toEqual([]);
  });

  requirement("service.weak-key", "is refused in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    onTestFinished(() => void vi.unstubAllEnvs());
    const error = await failureOf(() => start({ apiKey: short }));
    expect(error.message).toMatch(
      /apiKey must have at least 32 characters in production\. Pass a longer one, or allowWeakApiKey: true/,
    );
    expect(await start({ apiKey: short, allowWeakApiKey: true })).toEqual([]);
    expect(await start({ apiKey: long })).toEqual([]);
  });
});

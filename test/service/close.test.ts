import { anonymousCaller, createIdentityService, type IdentityService, type IdentityServiceOptions } from "latchkey";
import type { Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished } from "vitest";
import { ids, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { bootstrapKey, testCost, testSecret } from "../support/world.js";

const login = { loginId: "ann@example.com", password, applicationId: ids.application };
const refusal = { status: 503, code: "[storageUnavailable]", message: expect.stringContaining("takes no more calls") };

/** Logins, by how they come in. */
const logins: Readonly<Record<string, (identity: IdentityService) => Promise<unknown>>> = {
  "a request": async (identity) => {
    const response = await identity.inject({
      method: "POST",
      url: "/api/login",
      headers: { authorization: bootstrapKey },
      body: loginBody(),
    });
    expect(response.status).toBe(200);
  },
  "a call in process": (identity) => identity.logins.login(login),
  "a transaction": (identity) => identity.transaction((tx) => tx.logins.login(login)),
};

/** Holds transactions before their commit while it is closed. */
class Gate {
  #isClosed = false;
  #reached = Promise.withResolvers<void>();
  #opened = Promise.withResolvers<void>();

  /** Resolves once a transaction waits. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#reached.promise;
  }

  open(): void {
    this.#opened.resolve();
  }

  /** A storage whose transactions wait at the gate. */
  guard<Native>(storage: Storage<Native>): Storage<Native> {
    const hold = async (): Promise<void> => {
      if (!this.#isClosed) return;
      this.#reached.resolve();
      await this.#opened.promise;
    };
    const transaction: Storage<Native>["transaction"] = (work, options) =>
      storage.transaction(async (tx) => {
        const result = await work(tx);
        await hold();
        return result;
      }, options);
    return new Proxy(storage, {
      get: (target, name) => {
        if (name === "transaction") return transaction;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}

interface Closable {
  readonly identity: IdentityService;
  readonly gate: Gate;
  readonly log: readonly string[];
  /** Starts a second service on the same file. */
  readonly reopen: () => Promise<IdentityService>;
}

async function start(options: Partial<IdentityServiceOptions> = {}): Promise<Closable> {
  const filename = `${makeDirectory()}/identity.db`;
  const gate = new Gate();
  const log: string[] = [];
  const add = (_fields: object, message: string): void => void log.push(message);
  const open = async (): Promise<IdentityService> => {
    const identity = await createIdentityService({
      storage: gate.guard(sqliteStorage({ filename })),
      apiKey: bootstrapKey,
      secret: testSecret,
      passwordHashing: testCost,
      logger: { debug: add, info: add, warn: add, error: add },
      delivery: { autoStart: false },
      ...options,
    });
    onTestFinished(() => identity.close());
    return identity;
  };
  const identity = await open();
  const loginConfiguration = { allowTokenRefresh: true, generateRefreshTokens: true };
  await identity.applications.create({ applicationId: ids.application, application: { name: "Shop", loginConfiguration } });
  await identity.users.create({ userId: ids.user, user: { email: login.loginId, password } });
  await identity.registrations.create({ userId: ids.user, registration: { applicationId: ids.application } });
  return { identity, gate, log, reopen: open };
}

describe("a service that closes", () => {
  for (const [name, logIn] of Object.entries(logins))
    requirement("service.close", `waits for ${name} under way, and loses no record of a login`, async () => {
      const { gate, identity, reopen } = await start();
      const reached = gate.close();
      const running = logIn(identity);
      await reached;
      let isClosed = false;
      const closing = identity.close().then(() => {
        isClosed = true;
      });
      await new Promise(setImmediate);
      expect(isClosed).toBe(false);
      gate.open();
      await running;
      await closing;
      const { total } = await (await reopen()).loginRecords.search({ search: { userId: ids.user } });
      expect(total).toBe(1);
    });

  requirement("service.close", "refuses every call from then on, and says so", async () => {
    const { gate, identity } = await start();
    const reached = gate.close();
    const running = identity.groups.create({ group: { name: "Editors" } });
    await reached;
    const closing = identity.close();
    const calls = [
      () => identity.groups.list(),
      () => identity.as(anonymousCaller({ address: undefined })).logins.login(login),
      () => identity.transaction(async () => undefined),
      () => identity.findPrincipal(bootstrapKey),
      () => identity.verifyToken("token"),
      () => identity.effectiveRoles({ userId: ids.user, applicationId: ids.application }),
      () => identity.config.export(),
      () => identity.secrets.rotate(),
      () => identity.audit.verify(),
      () => identity.planIndexes(),
      () => identity.ping(),
      () => identity.start(),
      () => identity.settle(),
    ];
    const refuseAll = async (): Promise<void> => {
      for (const call of calls) await expect(call()).rejects.toMatchObject(refusal);
      for (const url of ["/api/group", "/api/status"]) {
        const response = await identity.inject({ method: "GET", url, headers: { authorization: bootstrapKey } });
        expect([response.status, response.body]).toEqual([503, expect.stringContaining("[storageUnavailable]")]);
      }
      expect(await identity.handle({ method: "GET", path: "/of-the-host", query: "", headers: {} })).toBeUndefined();
    };
    await refuseAll();
    gate.open();
    await running;
    await closing;
    await refuseAll();
  });

  requirement("service.close", "waits no longer than the option says, and logs what it leaves", async () => {
    const { gate, identity, log } = await start({ delivery: { autoStart: false, closeTimeoutMilliseconds: 1 } });
    const reached = gate.close();
    const running = identity.groups.create({ group: { name: "Editors" } }).catch(() => undefined);
    await reached;
    const closing = identity.close();
    await expect.poll(() => log, { timeout: 10_000 }).toContain("close() does not wait longer than 1 ms for calls.");
    gate.open();
    await running;
    await closing;
  });

  requirement("service.close", "closes once, and not inside of a transaction", async () => {
    const { identity } = await start();
    await expect(identity.transaction(() => identity.close())).rejects.toThrow("Inside identity.transaction");
    await Promise.all([identity.close(), identity.close()]);
  });
});

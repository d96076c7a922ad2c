// Checks that take their time: what ends the proof meanwhile ends what they lead to.
import { oidc } from "latchkey/oidc";
import type { Storage } from "latchkey/ports";
import { describe, expect } from "vitest";
import { Browser } from "../oidc/support/browser.js";
import { createPlainPages } from "../oidc/support/pages.js";
import { ada, beginLogin } from "../oidc/support/provider.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { watchStorage } from "../support/watched-storage.js";
import { storages } from "../support/world.js";
import { artifacts } from "./support/artifacts.js";
import { endingEvents } from "./support/events.js";
import { outcomes } from "./support/outcomes.js";
import { type Stage, startStage, toLogin } from "./support/stage.js";

const another = "another good password";

/** Something that a check waits for, once; the test goes on when it waits. */
class Gate {
  #pass: () => void = () => undefined;
  #reached: () => void = () => undefined;
  isClosed = false;
  readonly reached: Promise<void> = new Promise((resolve) => {
    this.#reached = resolve;
  });
  readonly #passed: Promise<void> = new Promise((resolve) => {
    this.#pass = resolve;
  });

  async wait(): Promise<void> {
    if (!this.isClosed) return;
    this.isClosed = false;
    this.#reached();
    await this.#passed;
  }

  open(): void {
    this.#pass();
  }
}

/** Where logins wait. */
interface Gates {
  /** Passwords, while they are checked. */
  readonly check: Gate;
  /** Pages, between a password that is right and their login. */
  readonly page: Gate;
}

/** A stage whose user has a hash of the host's, which waits at a gate when it is checked. */
async function startHeld(storage: Storage): Promise<Stage & Gates> {
  const [check, page] = [new Gate(), new Gate()];
  const verify = async (given: string, hash: string): Promise<boolean> => {
    await check.wait();
    return hash === Buffer.from(given).toString("hex");
  };
  const protocols = [oidc({ interactions: createPlainPages(() => page.wait()) })];
  const stage = await startStage(storage, { passwordSchemes: { held: { verify } }, protocols });
  const passwordHash = `held$${Buffer.from(ada.password).toString("hex")}`;
  const { applicationId, identity, tenantId, userId } = stage;
  await identity.users.remove({ userId, hardDelete: true });
  const imported = { id: userId, active: true, email: ada.email, passwordHash, tenantId, verified: true };
  await identity.bulkUsers.import({ users: [{ ...imported, registrations: [{ applicationId }] }] });
  return { ...stage, check, page };
}

const changes: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  "another password": ({ identity, userId }) => identity.users.patch({ userId, patch: { user: { password: another } } }),
  "all tokens revoked": ({ identity, userId }) => identity.jwt.revoke({ userId }),
  "deactivation and return": async ({ admin, identity, userId }) => {
    await identity.users.remove({ userId });
    await admin.put(`/api/user/${userId}?reactivate=true`, {});
  },
};

describe.each(isLong ? storages : storages.slice(0, 1))("on %s", (_name, open) => {
  for (const [name, change] of Object.entries(changes))
    requirement("validity.overlap", `a password that is being checked is of no use after ${name}`, async () => {
      const stage = await startHeld(open());
      const { check: gate } = stage;
      gate.isClosed = true;
      const login = stage.host.post("/api/login", toLogin(stage));
      await gate.reached;
      await change(stage);
      // The check ends later than the change, by any clock.
      stage.pass(1_000);
      gate.open();
      expect((await login).status).toBe(404);
    });

  requirement("validity.overlap", "a password that is being checked gives no right to choose another one", async () => {
    const stage = await startHeld(open());
    const { check: gate } = stage;
    await stage.identity.users.patch({ userId: stage.userId, patch: { user: { passwordChangeRequired: true } } });
    gate.isClosed = true;
    const login = stage.host.post("/api/login", toLogin(stage));
    await gate.reached;
    await stage.identity.users.patch({ userId: stage.userId, patch: { user: { password: another } } });
    stage.pass(1_000);
    gate.open();
    const id = (await login).textAt("changePasswordId");
    expect((await stage.admin.post(`/api/user/change-password/${id}`, { password: "a third good password" })).status).toBe(404);
  });

  for (const [name, change] of Object.entries(changes))
    requirement("validity.overlap", `a login that pages have yet to end is of no use after ${name}`, async () => {
      const stage = await startHeld(open());
      const { page: gate } = stage;
      const browser = new Browser();
      const begun = await browser.follow((await beginLogin(stage.config, { scope: "openid" })).url);
      gate.isClosed = true;
      const login = browser.send(begun.url, { loginId: ada.email, password: ada.password });
      await gate.reached;
      await change(stage);
      stage.pass(1_000);
      gate.open();
      const next = new URL((await login).headers.get("location") ?? "", begun.url);
      expect((await browser.follow(next)).url.searchParams.has("code")).toBe(false);
    });

  for (const name of ["passwordless code", "change-password id", "one-time password", "email verification id", "two-factor id"])
    requirement("validity.overlap", `${name} is refused after what happens between its check and its use`, async () => {
      for (const event of ["another password", "all tokens revoked", "deactivation and return", "another address"]) {
        const gate = new Gate();
        const watched = watchStorage(open(), {});
        const transaction: Storage["transaction"] = async (...given) => {
          await gate.wait();
          return watched.transaction(...given);
        };
        const stage = await startStage({ ...watched, transaction });
        const use = await artifacts[name]?.make(stage);
        gate.isClosed = true;
        const used = use?.();
        await gate.reached;
        await endingEvents[event]?.(stage);
        gate.open();
        expect([event, await used]).toEqual([event, outcomes[name]?.[event] === "used"]);
        await stage.identity.close();
      }
    });
});

// Answers of authenticators whose check takes its time: what ends them meanwhile counts.

import { simpleWebAuthn } from "latchkey/passkeys";
import type { PasskeyVerifier } from "latchkey/ports";
import { expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { SoftwareAuthenticator, testPage } from "../support/authenticator.js";
import { anybody, ids, loginBody } from "../support/logins.js";
import {
  base,
  beginLogin,
  beginRegistration,
  type Options,
  register,
  sendLogin,
  sendRegistration,
  setTenant,
  startPasskeys,
} from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start, type World } from "../support/world.js";

/** A service whose checks of passkeys run `meanwhile` before they answer, once. */
async function startSlow(
  start: Start,
): Promise<{ readonly world: World; readonly meanwhile: (run: () => Promise<unknown>) => void }> {
  let next: (() => Promise<unknown>) | undefined;
  const real = simpleWebAuthn();
  const wait = async (): Promise<void> => {
    const run = next;
    next = undefined;
    await run?.();
  };
  const passkeys: PasskeyVerifier = {
    verifyAssertion: async (...given) => {
      const verified = await real.verifyAssertion(...given);
      await wait();
      return verified;
    },
    verifyAttestation: async (...given) => {
      const verified = await real.verifyAttestation(...given);
      await wait();
      return verified;
    },
  };
  const world = await startPasskeys(start, { passkeys });
  return { world, meanwhile: (run) => (next = run) };
}

/** What happens to the user during a check; a clock that goes on must not matter. */
const events: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  "another password": ({ identity }) =>
    identity.users.patch({ userId: ids.user, patch: { user: { password: "another good password" } } }),
  "all tokens revoked": ({ identity }) => identity.jwt.revoke({ userId: ids.user }),
  "removed passkeys": ({ identity }) => identity.passkeys.remove({ userId: ids.user }),
};

async function happen(world: World, name: string): Promise<void> {
  await events[name]?.(world);
  world.clock.advance(1_000);
}

forEachStorage((start) => {
  for (const name of Object.keys(events)) {
    requirement("validity.overlap", `a login by a passkey that is being checked ends with ${name}`, async () => {
      const { meanwhile, world } = await startSlow(start);
      const authenticator = new SoftwareAuthenticator();
      await register(world.caller, authenticator);
      const credential = authenticator.get(await beginLogin(world.caller));
      meanwhile(() => happen(world, name));
      expect((await sendLogin(world, credential)).status).toBe(404);
    });

    requirement("validity.overlap", `a second factor that is being checked ends with ${name}`, async () => {
      const { meanwhile, world } = await startSlow(start);
      await setTenant(world, { webAuthnConfiguration: { secondFactorWorkflow: { enabled: true } } });
      const authenticator = new SoftwareAuthenticator();
      await register(world.caller, authenticator);
      const twoFactorId = (await world.caller.post("/api/login", loginBody())).textAt("twoFactorId");
      const begun = await anybody(world).post(`/api/two-factor/passkey/${twoFactorId}`);
      const credential = authenticator.get(expectOk(begun).at("options") as Options);
      meanwhile(() => happen(world, name));
      const answer = await anybody(world).post("/api/two-factor/login", { credential, twoFactorId, ...testPage });
      expect([404, 421]).toContain(answer.status);
    });
  }

  requirement("validity.overlap", "a new passkey that is being checked is not stored after another password", async () => {
    const { meanwhile, world } = await startSlow(start);
    const made = new SoftwareAuthenticator().create(await beginRegistration(world.caller));
    meanwhile(() => happen(world, "another password"));
    expect((await sendRegistration(world.caller, made)).status).toBe(404);
    expect((await world.caller.get(`${base}?userId=${ids.user}`)).at("credentials")).toEqual([]);
  });
});

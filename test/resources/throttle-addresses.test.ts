import { expectEmpty } from "../support/answer.js";
import { addAttemptRoute, attemptAs, failAs as fail, callerFrom as from, withFew } from "../support/attempts.js";
import type { Caller } from "../support/caller.js";
import { callerAt } from "../support/from-address.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

addAttemptRoute();

forEachStorage((start) => {
  requirement(
    "authentication.source-spelling",
    "attempts of one address are counted together, however proxy and socket write it",
    async () => {
      const world = await start({ ...withFew, trustedProxies: ["127.0.0.1"] });
      const forwarded = (address: string): Caller =>
        callerAt(world, "::ffff:127.0.0.1", { "X-Forwarded-For": `203.0.113.9, ${address}` });
      for (const address of ["198.51.100.10:4711", "[::ffff:198.51.100.10]:4712", "::ffff:c633:640a"])
        await fail(forwarded(address), "ann", 1);
      expectEmpty(await attemptAs(forwarded("198.51.100.10:4713"), "ann", true), 423);
      expectEmpty(await attemptAs(forwarded("198.51.100.11:4711"), "ann", true), 200);
      for (const port of [1, 2, 3]) await fail(forwarded(`[2001:db8::${port}]:${port}`), "bob", 1);
      expectEmpty(await attemptAs(forwarded("2001:db8::9"), "bob", true), 423);
      for (const nothing of ["unknown", "", "_hidden"]) await fail(forwarded(nothing), "cid", 1);
      expectEmpty(await attemptAs(from(world, "127.0.0.1"), "cid", true), 423);
    },
  );
});

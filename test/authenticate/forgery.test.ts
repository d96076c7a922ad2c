import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import {
  type Forgeries,
  forgeByOldKeys,
  forgeClaims,
  forgeKeys,
  forgeKinds,
  forgeLong,
  forgeSignatures,
  forgeSpellings,
  lyingToken,
} from "../support/forgeries.js";
import { startForgery, type Workshop } from "../support/forgery.js";
import { requirement } from "../support/requirement.js";

const path = "/api/jwt/validate";

/** Expects each of these tokens to be refused as any other credential is, by header and by cookie. */
async function expectRefused({ world }: Workshop, tokens: Forgeries): Promise<void> {
  for (const [name, token] of Object.entries(tokens)) {
    const ways: readonly Readonly<Record<string, string>>[] = [
      { Authorization: `Bearer ${token}` },
      { Authorization: `JWT ${token}` },
      { Cookie: `access_token=${token}` },
    ];
    for (const headers of ways)
      for (const url of [path, "/api/user"]) {
        const { status, text, headers: sent } = await new Caller(world.identity, headers).get(url);
        expect([name, status, text, sent]).toEqual([name, 401, "", { "cache-control": "no-cache" }]);
      }
  }
}

describe("a forged token", () => {
  requirement(
    ["token.forged", "token.pinned"],
    "is refused when it says that it needs no signature, or another one",
    async () => {
      const shop = await startForgery();
      expectOk(await bearer(shop, lyingToken(shop, { alg: "ES256" })));
      await expectRefused(shop, forgeSignatures(shop));
    },
  );

  requirement("token.forged", "is refused when its key is unknown, under any name", async () => {
    const shop = await startForgery();
    await expectRefused(shop, await forgeKeys(shop));
  });

  requirement("token.forged", "is refused when its key only verifies here, or signs nothing any more", async () => {
    const shop = await startForgery();
    await expectRefused(shop, await forgeByOldKeys(shop));
  });

  requirement("token.key-removed", "is refused at once when its key was removed", async () => {
    const shop = await startForgery();
    expectOk(await bearer(shop, shop.good));
    expectEmpty(await shop.world.caller.delete(`/api/key/${shop.keyId}`), 200);
    await expectRefused(shop, { "removed key": shop.good });
  });

  requirement("token.expired", "is refused before its time, after it, and without one or a subject", async () => {
    const shop = await startForgery();
    const last = await shop.sign({ ...shop.claims, exp: shop.now + 1 });
    expectOk(await bearer(shop, last));
    await expectRefused(shop, await forgeClaims(shop));
    // Also one that was found good a moment ago.
    shop.world.clock.advance(1_000);
    await expectRefused(shop, { "expired meanwhile": last });
  });

  requirement("token.forged", "is refused when it is another kind of token of ours", async () => {
    const shop = await startForgery();
    await expectRefused(shop, await forgeKinds(shop));
  });

  requirement("token.forged", "is refused when it is not written as tokens are", async () => {
    const shop = await startForgery();
    await expectRefused(shop, await forgeSpellings(shop));
  });

  requirement("token.long", "is refused when it is 100 kB long, however good its signature", async () => {
    const shop = await startForgery();
    await expectRefused(shop, await forgeLong(shop));
  });
});

async function bearer({ world }: Workshop, token: string): Promise<Answer> {
  return new Caller(world.identity, { Authorization: `Bearer ${token}` }).get(path);
}

import { expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { isOptional } from "../../src/http/route/define-route.js";
import {
  type Credentials,
  type ForgedHeaders,
  forgeCookies,
  forgeHeaders,
  forgeProofs,
  type Place,
} from "../support/forged-headers.js";
import {
  forgeByOldKeys,
  forgeClaims,
  forgeKeys,
  forgeKinds,
  forgeLong,
  forgeSignatures,
  forgeSpellings,
} from "../support/forgeries.js";
import { startForgery, type Workshop } from "../support/forgery.js";
import { isLong, steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { uuid } from "../support/world.js";

const guarded = routes.filter(({ access }) => access !== "public");

async function forgeAll(shop: Workshop, holder: "user" | "client"): Promise<readonly ForgedHeaders[]> {
  const tokens = {
    ...forgeSignatures(shop),
    ...(await forgeKeys(shop)),
    ...(await forgeClaims(shop)),
    ...(await forgeSpellings(shop)),
    ...(await forgeLong(shop)),
    ...(holder === "user" && (await forgeKinds(shop))),
    ...(await forgeByOldKeys(shop)),
  };
  const asBearer = Object.entries(tokens).map(([name, token]) => ({
    name,
    toCredentials: () => ({ headers: { authorization: `Bearer ${token}` } }),
  }));
  return [...asBearer, ...forgeHeaders(shop), ...forgeCookies(shop), ...(await forgeProofs(shop))];
}

for (const holder of ["user", "client"] as const)
  requirement(
    ["auth.forged-everywhere", "token.forged", "dpop.proof"],
    `every forgery of a ${holder}'s credential is refused by every endpoint that needs one`,
    async () => {
      const shop = await startForgery(holder);
      const forgeries = await forgeAll(shop, holder);
      const wrong: string[] = [];
      let cells = 0;
      // By default each endpoint meets a part of the forgeries, and each forgery a part of the endpoints.
      for (const [index, { method, path, access }] of guarded.entries())
        for (const forgery of steps(forgeries, 15, index)) {
          const place = { method, path: path.replaceAll(/:\w+/g, uuid(1)) };
          const credentials = await forgery.toCredentials(place);
          // A cookie, which browsers send along unasked, says nothing where a credential may be absent.
          if (isOptional(access) && credentials.headers.authorization === undefined) continue;
          if (forgery.isOnce === true) await send(shop, place, credentials);
          const answer = await send(shop, place, credentials);
          cells++;
          // HTTP Basic is that of a client there, whose refusal is OAuth's.
          const isRefused = access === "client" ? answer.startsWith("401") : answer === refused;
          if (!isRefused) wrong.push(`${method} ${path}, ${forgery.name}: ${answer}`);
        }
      console.info(`${guarded.length} endpoints, ${cells} cells, ${wrong.length} wrong`);
      expect(wrong).toEqual([]);
      const cookies = forgeCookies(shop).length + 1;
      const optional = guarded.filter(({ access }) => isOptional(access)).length;
      const allCells = guarded.length * forgeries.length - optional * cookies;
      expect(cells).toBeGreaterThan(allCells / 18);
      if (isLong) expect(cells).toBe(allCells);
      expect(shop.world.log).toEqual([]);
    },
  );

for (const holder of ["user", "client"] as const)
  requirement("auth.forged-everywhere", `what is forged is a ${holder}'s credential that is good`, async () => {
    const shop = await startForgery(holder);
    const place = { method: "GET", path: holder === "user" ? "/api/user" : "/api/group" };
    expect(await send(shop, place, { headers: { authorization: `Bearer ${shop.good}` } })).toMatch(/^200 /);
    const [spent] = (await forgeProofs(shop)).filter(({ isOnce }) => isOnce === true);
    const credentials = (await spent?.toCredentials(place)) ?? { headers: {} };
    expect(await send(shop, place, credentials)).toMatch(/^200 /);
    expect(await send(shop, place, credentials)).toBe(refused);
  });

/** Status, headers and body of a refusal that tells nothing. */
const refused = '401 {"cache-control":"no-cache"} ';

async function send({ world }: Workshop, place: Place, credentials: Credentials): Promise<string> {
  const answer = await world.identity.handle({ ...place, ...credentials, query: "", remoteAddress: "192.0.2.1" });
  if (answer === undefined) return "no answer";
  const { "www-authenticate": challenge, ...headers } = answer.headers;
  // The endpoint of OpenID Connect challenges as RFC 6750 wants it, and tells no more by it.
  const isExpected = place.path === "/oauth2/userinfo" ? /^(Bearer|DPoP) realm="oauth2"/.test(String(challenge)) : !challenge;
  return `${answer.status} ${JSON.stringify(isExpected ? headers : answer.headers)} ${answer.body}`;
}

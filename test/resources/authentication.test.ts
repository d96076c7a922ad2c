import { describe, expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { Answer, expectEmpty, expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, uuid } from "../support/world.js";

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

forEachStorage((start) => {
  requirement(
    "auth.required",
    "refuses every route that is not public without a credential, or with a wrong one, alike",
    async () => {
      const { identity } = await start();
      // Clients get refusals of OAuth: oauth2-introspect.test.ts has them.
      const guarded = routes.filter(({ access }) => access !== "public" && access !== "client");
      for (const header of [undefined, "wrong", "", basic("apikey:wrong")]) {
        const anybody = new Caller(identity, header === undefined ? {} : { Authorization: header });
        for (const { access, method, path } of guarded) {
          // `no-credential.test.ts` lists these. They need no credential, but refuse a wrong one.
          if (header === undefined && access.startsWith("optional")) continue;
          const answer = await anybody.send(method, path.replaceAll(/:\w+/g, uuid(1)), method === "GET" ? undefined : {});
          expectEmpty(answer, 401);
          const error = header ? ', error="invalid_token"' : "";
          const challenge = path === "/oauth2/userinfo" && { "www-authenticate": `Bearer realm="oauth2"${error}` };
          expect(answer.headers).toEqual({ "cache-control": "no-cache", ...challenge });
        }
      }
    },
  );

  describe("the Authorization header", () => {
    async function expectStatus(cases: readonly (readonly [header: string, status: number])[]): Promise<void> {
      const { identity } = await start();
      for (const [header, status] of cases) {
        const answer = await new Caller(identity, { Authorization: header }).get("/api/group");
        expect({ header, status: answer.status }).toEqual({ header, status });
      }
    }

    requirement("auth.api-key", "holds the bare key, exactly, without a scheme", async () => {
      await expectStatus([
        [bootstrapKey, 200],
        [bootstrapKey.toUpperCase(), 401],
        [`${bootstrapKey} `, 401],
        [` ${bootstrapKey}`, 401],
        [bootstrapKey.slice(0, -1), 401],
        [`${bootstrapKey}x`, 401],
        [`Bearer ${bootstrapKey}`, 401],
        [`ApiKey ${bootstrapKey}`, 401],
        [`${bootstrapKey}, ${bootstrapKey}`, 401],
        ["x".repeat(10_000), 401],
      ]);
    });

    requirement("auth.basic", "holds Basic with the user name apikey and the key as password", async () => {
      await expectStatus([
        [basic(`apikey:${bootstrapKey}`), 200],
        [basic(`apikey:${bootstrapKey}`).replace("Basic", "basic"), 200],
        [basic(`apikey:${bootstrapKey}`).replace("Basic", "BASIC"), 200],
        [basic(`APIKEY:${bootstrapKey}`), 401],
        [basic(`apikey :${bootstrapKey}`), 401],
        [basic(`:${bootstrapKey}`), 401],
        [basic(bootstrapKey), 401],
        [basic("apikey:"), 401],
        [basic(`${bootstrapKey}:apikey`), 401],
        ["Basic", 401],
        ["Basic ", 401],
      ]);
    });

    requirement("auth.basic-canonical", "has one spelling only", async () => {
      const encoded = basic(`apikey:${bootstrapKey}`).slice("Basic ".length);
      const unpadded = basic(`apikey:${bootstrapKey}`).replace(/=+$/, "");
      await expectStatus([
        [`Basic  ${encoded}`, 401],
        [`Basic ${encoded} `, 401],
        [`Basic ${encoded.slice(0, 8)} ${encoded.slice(8)}`, 401],
        [`Basic ${encoded}!`, 401],
        [`Basic\t${encoded}`, 401],
        [unpadded, 401],
        [`Basic ${encoded}====`, 401],
      ]);
    });

    requirement("auth.basic", "takes the key from behind the first colon", async () => {
      const world = await start();
      expectOk(await world.caller.post("/api/api-key", { apiKey: { key: "with:colons:inside" } }));
      expectOk(await world.as(basic("apikey:with:colons:inside")).get("/api/group"));
    });

    requirement("auth.two-headers", "is refused when repeated, with any second value", async () => {
      const { identity } = await start();
      const send = async (rawHeaders: readonly string[], headers: Record<string, string | string[]>): Promise<Answer> =>
        new Answer((await identity.handle({ method: "GET", path: "/api/group", query: "", headers, rawHeaders })) as never);
      const authorization = bootstrapKey;
      expectOk(await send(["Authorization", bootstrapKey, "Accept", "*/*"], { authorization }));
      for (const second of [bootstrapKey, "other", ""])
        for (const name of ["Authorization", "authorization", "AUTHORIZATION"])
          expectEmpty(await send(["Authorization", bootstrapKey, name, second], { authorization }), 401);
      expectEmpty(await send([], { authorization: [bootstrapKey, bootstrapKey] }), 401);
    });

    requirement("auth.legacy-header", "may be called Authentication, which Authorization overrules", async () => {
      const { identity } = await start();
      expectOk(await new Caller(identity, { Authentication: bootstrapKey }).get("/api/group"));
      const both = new Caller(identity, { Authentication: bootstrapKey, Authorization: "wrong" });
      expectEmpty(await both.get("/api/group"), 401);
    });
  });

  requirement("auth.required", "asks for no credential where the path is not the service's", async () => {
    const { identity } = await start();
    const headers = {};
    for (const path of ["/", "/api", "/api/unknown", "/other", "/api/group/x/y", "//api/group"])
      expect(await identity.handle({ method: "GET", path, query: "", headers })).toBeUndefined();
  });
});

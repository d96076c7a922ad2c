import { describe, expect } from "vitest";
import { defaultSigningKeyId } from "../../src/records/keys/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication } from "../support/families.js";
import { generate, importKey, signer } from "../support/keys.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, uuid } from "../support/world.js";

const path = "/api/key";
const reserved = [
  "092dbedc-30af-4149-9c61-b578f2c72f59",
  "4b8f1c06-518e-45bd-9ac5-d549686ae02a",
  "C753A44D-7F2E-48D3-BC4E-C2C16488A23B",
];

/** What is told of a generated key of each algorithm beside its names. */
const kinds = {
  ES256: { type: "EC", length: 256, hasPrivateKey: true },
  ES384: { type: "EC", length: 384, hasPrivateKey: true },
  ES512: { type: "EC", length: 521, hasPrivateKey: true },
  Ed25519: { type: "OKP", hasPrivateKey: true },
  HS256: { type: "HMAC", hasPrivateKey: false },
  HS384: { type: "HMAC", hasPrivateKey: false },
  HS512: { type: "HMAC", hasPrivateKey: false },
};

forEachStorage((start) => {
  describe("generating a key", () => {
    requirement(["key.generate", "key.fields"], "shows exactly the public fields, for each algorithm", async () => {
      const { caller, clock } = await start();
      const instants = { insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      for (const [algorithm, kind] of Object.entries(kinds)) {
        // The length is for RSA alone.
        const key = { algorithm, name: algorithm, issuer: "acme", length: 7 };
        const answer = expectOk(await caller.post(`${path}/generate`, { key }));
        const names = { id: answer.textAt("key.id"), kid: answer.textAt("key.kid"), name: algorithm, issuer: "acme" };
        const pem = kind.hasPrivateKey && { publicKey: answer.textAt("key.publicKey") };
        expect(answer.body).toEqual({ key: { algorithm, ...kind, ...names, ...pem, ...instants } });
        expect(names.kid).toMatch(kind.hasPrivateKey ? /^[\w-]{43}$/ : /^[\w-]{22}$/);
        if (pem) expect(pem.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n[^\r]+\n-----END PUBLIC KEY-----$/);
        expect((await caller.get(`${path}/${names.id}`)).text).toBe(answer.text);
      }
    });

    requirement(["key.generate", "key.generate-length"], "makes RSA keys of the length that is asked for", async () => {
      const { caller } = await start();
      for (const [algorithm, length] of [["RS256", 2_048] as const, ["RS512", 3_072] as const])
        expect((await generate(caller, { algorithm, length, name: algorithm })).at("key")).toMatchObject({
          algorithm,
          hasPrivateKey: true,
          length,
          type: "RSA",
        });
    });

    requirement("key.generate", "holds up nobody else, however long it takes", async () => {
      const { caller } = await start();
      const order: string[] = [];
      const slow = generate(caller, { algorithm: "RS256", length: 4_096 }).then(() => order.push("key"));
      for (const name of ["A", "B", "C"]) {
        expectOk(await caller.post("/api/group", { group: { name } }));
        order.push(name);
      }
      await slow;
      expect(order).toEqual(["A", "B", "C", "key"]);
    });

    requirement("key.generate-length", "refuses an RSA key without a length, or with another", async () => {
      const { caller } = await start();
      for (const algorithm of ["RS256", "RS384", "RS512"]) {
        const post = (key: object) => caller.post(`${path}/generate`, { key: { algorithm, name: "K", ...key } });
        expectRefusal(await post({}), 400, "[missing]key.length");
        expectRefusal(await post({ length: null }), 400, "[missing]key.length");
        for (const length of [0, 1_024, 2_047, 8_192]) expectRefusal(await post({ length }), 400, "[invalidOption]key.length");
        expectRefusal(await post({ length: -2_048 }), 400, "[invalid]key.length", "[invalidOption]key.length");
        for (const length of ["2048", [], true]) expectRefusal(await post({ length }), 400, "[invalidJSON]key.length");
      }
    });

    requirement(["key.generate-algorithm", "key.name"], "refuses all that is wrong at once", async () => {
      const { caller } = await start();
      const post = (key?: unknown) => caller.post(`${path}/generate`, { key });
      expectRefusal(await post(), 400, "[missing]key");
      expectRefusal(await post("x"), 400, "[invalidJSON]key");
      expectRefusal(await post({}), 400, "[blank]key.name", "[missing]key.algorithm");
      expectRefusal(await post({ algorithm: "RS256", name: " " }), 400, "[blank]key.name", "[missing]key.length");
      for (const algorithm of ["None", "RS1", "es256", ""])
        expectRefusal(await post({ algorithm, name: "K" }), 400, "[invalidOption]key.algorithm");
      const long = { algorithm: 7, name: "n".repeat(192), issuer: "i".repeat(192) };
      expectRefusal(await post(long), 400, "[invalidJSON]key.algorithm", "[tooLong]key.issuer", "[tooLong]key.name");
    });

    requirement("key.name", "refuses a name that another key has in any case, however it came", async () => {
      const { caller } = await start();
      await generate(caller, { name: "Ärger" });
      const key = { algorithm: "HS256", name: "äRGER", secret: "s".repeat(32) };
      expectRefusal(await caller.post(`${path}/generate`, { key }), 400, "[duplicate]key.name");
      expectRefusal(await caller.post(`${path}/import`, { key }), 400, "[duplicate]key.name");
      const id = (await generate(caller, { name: "Other" })).textAt("key.id");
      expectRefusal(await caller.put(`${path}/${id}`, { key }), 400, "[duplicate]key.name");
    });

    requirement("key.reserved", "refuses the ids of product-owned keys, which are not found either", async () => {
      const { caller } = await start();
      const key = { algorithm: "HS256", name: "Mine", secret: "s".repeat(32) };
      for (const id of reserved) {
        for (const verb of ["generate", "import"])
          expectRefusal(await caller.post(`${path}/${verb}/${id}`, { key }), 400, "[invalid]keyId");
        expectRefusal(await caller.post(`${path}/generate?keyId=${id}`, { key }), 400, "[invalid]keyId");
        expectEmpty(await caller.get(`${path}/${id}`), 404);
        expectEmpty(await caller.put(`${path}/${id}`, { key }), 404);
        expectEmpty(await caller.patch(`${path}/${id}`, { key }), 404);
        expectEmpty(await caller.delete(`${path}/${id}`), 404);
      }
      expect((await caller.get(path)).each("keys", "id")).toEqual([defaultSigningKeyId]);
    });
  });

  describe("a key that is kept", () => {
    requirement("key.update", "changes its name by PUT and PATCH, and nothing else", async () => {
      const { caller, clock } = await start();
      const { certificateInformation: _told, ...parts } = signer;
      const made = (await importKey(caller, { ...parts, name: "First" }, uuid(1))).at("key") as Record<string, unknown>;
      const wanted = {
        algorithm: "HS256",
        certificate: "x",
        certificateInformation: {},
        expirationInstant: 1,
        hasPrivateKey: false,
        issuer: "other",
        kid: "other",
        length: 1,
        privateKey: "x",
        publicKey: 7,
        secret: ["x"],
        type: "HMAC",
      };
      const lastUpdateInstant = clock.advance(1_000);
      const key = { ...wanted, name: "Second" };
      const kept = { ...made, lastUpdateInstant, name: "Second" };
      expect(expectOk(await caller.put(`${path}/${uuid(1)}`, { key })).body).toEqual({ key: kept });
      for (const patch of [caller.patch, caller.mergePatch])
        expect(expectOk(await patch.call(caller, `${path}/${uuid(1)}`, { key: wanted })).body).toEqual({ key: kept });
      const replace = [{ op: "replace", path: "/key/kid", value: "other" }];
      expect(expectOk(await caller.jsonPatch(`${path}/${uuid(1)}`, replace)).body).toEqual({ key: kept });
      for (const name of ["", " ", null])
        expectRefusal(await caller.put(`${path}/${uuid(1)}`, { key: { name } }), 400, "[blank]key.name");
      expectRefusal(await caller.put(`${path}/${uuid(1)}`, { key: { name: "n".repeat(192) } }), 400, "[tooLong]key.name");
    });

    requirement(["key.list", "key.search"], "is listed and searched by name, algorithm and type", async () => {
      const { caller } = await start();
      await generate(caller, { name: "b", algorithm: "ES256" });
      await generate(caller, { name: "C", algorithm: "HS256" });
      await generate(caller, { name: "a", algorithm: "HS384" });
      await importKey(caller, { name: "d", certificate: signer.certificate });
      const standard = "Default signing key";
      expect((await caller.get(path)).each("keys", "name")).toEqual(["a", "b", "C", "d", standard]);
      const names = async (query: string): Promise<unknown> =>
        expectOk(await caller.get(`${path}/search?${query}`)).each("keys", "name");
      expect(await names("")).toEqual(["a", "b", "C", "d", standard]);
      expect(await names("name=C")).toEqual(["C"]);
      expect(await names("type=HMAC")).toEqual(["a", "C"]);
      expect(await names("algorithm=ES256&type=EC")).toEqual(["b", "d", standard]);
      expect(await names("orderBy=algorithm DESC,name DESC")).toEqual(["a", "C", standard, "d", "b"]);
      expect(await names("orderBy=type,insertInstant,name")).toEqual(["b", "d", standard, "a", "C"]);
      expect(await names("orderBy=expiration DESC,name")).toEqual(["d", "a", "b", "C", standard]);
      expect(await names("orderBy=id&numberOfResults=1&type=OKP")).toEqual([]);
      const posted = await caller.post(`${path}/search`, { search: { type: "HMAC", numberOfResults: 1 } });
      expect(expectOk(posted).at("total")).toBe(2);
      expectRefusal(await caller.get(`${path}/search?algorithm=RS1`), 400, "[couldNotConvert]algorithm");
      expectRefusal(await caller.get(`${path}/search?type=hmac`), 400, "[couldNotConvert]type");
      expectRefusal(await caller.get(`${path}/search?orderBy=kid`), 400, "[invalid]orderBy");
    });

    requirement("key.default", "is there from the first start to sign what names no other, and stays", async () => {
      const { caller } = await start();
      const id = `${path}/${defaultSigningKeyId}`;
      expect(expectOk(await caller.get(id)).at("key")).toMatchObject({ algorithm: "ES256", hasPrivateKey: true });
      expectRefusal(await caller.delete(id), 400, "[inUse]keyId");
      expectOk(await caller.put(id, { key: { name: "Renamed" } }));
      expect((await caller.get(path)).each("keys", "name")).toEqual(["Renamed"]);
    });

    requirement("key.global", "is outside of tenants", async () => {
      const world = await start();
      const id = (await generate(world.caller)).textAt("key.id");
      const bound = await callerOfTenant(world, world.defaultTenantId);
      for (const caller of [bound, world.caller.inTenant(world.defaultTenantId)]) {
        expectEmpty(await caller.get(`${path}/${id}`), 401);
        expectEmpty(await caller.post(`${path}/generate`, { key: { algorithm: "HS256", name: "N" } }), 401);
        expectEmpty(await caller.post(`${path}/import`, {}), 401);
        expectEmpty(await caller.get(`${path}/search`), 401);
        expectEmpty(await caller.delete(`${path}/${id}`), 401);
      }
    });
  });

  describe("a key in use", () => {
    requirement(["key.in-use", "key.remove"], "cannot be removed before its users let it go", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      for (const id of [uuid(1), uuid(2)]) await generate(caller, {}, id);
      const jwtConfiguration = { enabled: true, accessTokenKeyId: uuid(1), idTokenKeyId: uuid(2) };
      const applicationId = await makeApplication(world, defaultTenantId, "Forum");
      expectOk(await caller.patch(`/api/application/${applicationId}`, { application: { jwtConfiguration } }));
      const tenant = { name: "Default", jwtConfiguration: { accessTokenKeyId: uuid(1) } };
      expectOk(await caller.put(`/api/tenant/${defaultTenantId}`, { tenant }));
      const refused = await caller.delete(`${path}/${uuid(1)}`);
      expectRefusal(refused, 400, "[inUse]keyId");
      expect(refused.text).toMatch(/application Forum/);
      expect(refused.text).toMatch(/tenant Default/);
      expectRefusal(await caller.delete(`${path}/${uuid(2)}`), 400, "[inUse]keyId");
      expectOk(await caller.get(`${path}/${uuid(1)}`));
      expectOk(await caller.put(`/api/tenant/${defaultTenantId}`, { tenant: { name: "Default" } }));
      expectEmpty(await caller.delete(`/api/application/${applicationId}?hardDelete=true`), 200);
      for (const id of [uuid(1), uuid(2)]) expectEmpty(await caller.delete(`${path}/${id}`), 200);
    });

    requirement("key.in-use", "must be there when something names it", async () => {
      const world = await start();
      const jwtConfiguration = { accessTokenKeyId: uuid(8), idTokenKeyId: reserved[0] };
      const codes = (wrapper: string): string[] =>
        ["accessTokenKeyId", "idTokenKeyId"].map((name) => `[invalid]${wrapper}.jwtConfiguration.${name}`);
      const application = await world.caller.post("/api/application", { application: { name: "A", jwtConfiguration } });
      expectRefusal(application, 400, ...codes("application"));
      const tenant = await world.caller.post("/api/tenant", { tenant: { name: "T", jwtConfiguration } });
      expectRefusal(tenant, 400, ...codes("tenant"));
    });
  });
});

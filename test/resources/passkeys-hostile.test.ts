import { memoryStorage } from "latchkey/memory";
import { simpleWebAuthn } from "latchkey/passkeys";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { type AnswerChanges, flagBits, SoftwareAuthenticator, testPage } from "../support/authenticator.js";
import { anybody, ids } from "../support/logins.js";
import {
  base,
  beginLogin,
  beginRegistration,
  registered,
  sendLogin,
  sendRegistration,
  setTenant,
  startPasskeys,
} from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { type Start, startWorld, uuid } from "../support/world.js";

const startInMemory: Start = (options) => startWorld(memoryStorage(), options);

const { backedUp, userPresent, userVerified } = flagBits;

/** What an authenticator or a browser says that is not so. */
const lies: readonly (readonly [name: string, changes: AnswerChanges])[] = [
  ["another origin", { origin: "https://example.org" }],
  ["a page below the domain that is not listed", { origin: "https://login.example.com" }],
  ["another domain", { rpId: "example.org" }],
  ["nobody present", { flags: userVerified }],
  ["nobody verified", { flags: userPresent }],
  ["a copy of what cannot be copied", { flags: userPresent | userVerified | backedUp }],
  ["another ceremony", { type: "webauthn.other" }],
];

type Credential = ReturnType<SoftwareAuthenticator["create"]>;
type Assertion = ReturnType<SoftwareAuthenticator["get"]>;

const cut = (text: string): string => text.slice(0, Math.floor(text.length / 2));

/** What of a new passkey is broken. */
const broken: readonly (readonly [name: string, change: (credential: Credential) => object])[] = [
  [
    "CBOR that ends early",
    (made) => ({ response: { ...made.response, attestationObject: cut(made.response.attestationObject) } }),
  ],
  ["no CBOR", (made) => ({ response: { ...made.response, attestationObject: "AAAA" } })],
  ["another id", () => ({ id: new SoftwareAuthenticator().credentialId })],
];

/** What of a signature is broken. */
const tampered: readonly (readonly [name: string, change: (made: Assertion) => object])[] = [
  ["another signature", (made) => ({ response: { ...made.response, signature: "MEUCIQ" } })],
  [
    "data that ends early",
    (made) => ({ response: { ...made.response, authenticatorData: cut(made.response.authenticatorData) } }),
  ],
  ["another user's handle", (made) => ({ response: { ...made.response, userHandle: Buffer.alloc(16).toString("base64url") } })],
  ["an unknown id", () => ({ id: new SoftwareAuthenticator().credentialId })],
];

describe("a new passkey", () => {
  for (const [name, changes] of lies)
    requirement("passkey.registration-refused", `is refused for ${name}`, async () => {
      const world = await startPasskeys(startInMemory);
      const options = await beginRegistration(world.caller);
      const answer = await sendRegistration(world.caller, new SoftwareAuthenticator().create(options, changes));
      expectRefusal(answer, 400, "[invalid]credential");
      expect(expectOk(await world.caller.get(`${base}?userId=${ids.user}`)).at("credentials")).toEqual([]);
    });

  for (const [name, change] of broken)
    requirement("passkey.registration-refused", `is refused for ${name}`, async () => {
      const world = await startPasskeys(startInMemory);
      const credential = new SoftwareAuthenticator().create(await beginRegistration(world.caller));
      const answer = await sendRegistration(world.caller, { ...credential, ...change(credential) });
      expectRefusal(answer, 400, "[invalid]credential");
      // The challenge is used up all the same.
      expectEmpty(await sendRegistration(world.caller, credential), 404);
    });

  for (const kind of ["RS1", "weakRS256"] as const)
    requirement("passkey.algorithms", `is refused with a key of ${kind}`, async () => {
      const world = await startPasskeys(startInMemory);
      const credential = new SoftwareAuthenticator(kind).create(await beginRegistration(world.caller));
      expectRefusal(await sendRegistration(world.caller, credential), 400, "[invalid]credential");
    });

  requirement("passkey.limits", "has bounded members", async () => {
    const world = await startPasskeys(startInMemory);
    const made = new SoftwareAuthenticator().create(await beginRegistration(world.caller));
    const long = "A".repeat(70_000);
    const wrong: readonly (readonly [object, string])[] = [
      [{ id: "A".repeat(1_365) }, "[tooLong]credential.id"],
      [{ id: "not base64url!" }, "[invalid]credential.id"],
      [{ type: "password" }, "[invalidOption]credential.type"],
      [{ response: { ...made.response, attestationObject: long } }, "[tooLong]credential.response.attestationObject"],
      [{ response: { ...made.response, clientDataJSON: long } }, "[tooLong]credential.response.clientDataJSON"],
      [{ response: { ...made.response, transports: ["<script>"] } }, "[invalid]credential.response.transports[0]"],
    ];
    for (const [change, code] of wrong) expectRefusal(await sendRegistration(world.caller, { ...made, ...change }), 400, code);
    for (const clientDataJSON of [
      "AAAA",
      Buffer.from("[]").toString("base64url"),
      Buffer.from('{"challenge":1}').toString("base64url"),
    ])
      expectEmpty(await sendRegistration(world.caller, { ...made, response: { ...made.response, clientDataJSON } }), 404);
    const body = { displayName: "x".repeat(192), userId: ids.user };
    expectRefusal(await world.caller.post(`${base}/register/start`, body), 400, "[tooLong]displayName");
    expectRefusal(await world.caller.post(`${base}/register/start`, {}), 400, "[blank]displayName");
    expectOk(await sendRegistration(world.caller, made));
  });
});

describe("a login with a passkey", () => {
  for (const [name, changes] of lies)
    requirement("passkey.login-refused", `is refused for ${name}`, async () => {
      const world = await startPasskeys(startInMemory);
      const authenticator = await registered(world);
      expectEmpty(await sendLogin(world, authenticator.get(await beginLogin(world.caller), changes)), 404);
      expectOk(await sendLogin(world, authenticator.get(await beginLogin(world.caller))));
    });

  for (const [name, change] of tampered)
    requirement("passkey.login-refused", `is refused for ${name}`, async () => {
      const world = await startPasskeys(startInMemory);
      const authenticator = await registered(world);
      const credential = authenticator.get(await beginLogin(world.caller));
      expectEmpty(await sendLogin(world, { ...credential, ...change(credential) }), 404);
      expectEmpty(await sendLogin(world, credential), 404);
    });

  requirement("passkey.login-refused", "is refused to another user of the challenge", async () => {
    const world = await startPasskeys(startInMemory);
    const authenticator = await registered(world);
    const other = uuid(601);
    expectOk(await world.caller.post(`/api/user/${other}`, { user: { email: "bob@example.com", password: "bob's password" } }));
    const theirs = new SoftwareAuthenticator();
    const options = await beginRegistration(world.caller, { userId: other });
    expectOk(await sendRegistration(world.caller, theirs.create(options), { userId: other }));
    const ofOther = await beginLogin(world.caller, { userId: other });
    expectEmpty(await sendLogin(world, authenticator.get(ofOther)), 404);
    // Nor does an authenticator sign with the id of another.
    const stolen = { ...authenticator.get(await beginLogin(world.caller)), id: theirs.credentialId };
    expectEmpty(await sendLogin(world, { ...stolen, response: { ...stolen.response, userHandle: undefined } }), 404);
  });

  requirement("passkey.login-refused", "says why in the event log, where the tenant wants that", async () => {
    const world = await startPasskeys(startInMemory);
    const authenticator = await registered(world);
    const lie = { origin: "https://example.org" };
    await sendLogin(world, authenticator.get(await beginLogin(world.caller), lie));
    expect(expectOk(await world.caller.get("/api/system/event-log/search")).at("total")).toBe(0);
    await setTenant(world, { webAuthnConfiguration: { debug: true } });
    await sendLogin(world, authenticator.get(await beginLogin(world.caller), lie));
    const found = expectOk(await world.caller.get("/api/system/event-log/search"));
    expect(found.at("eventLogs.0")).toMatchObject({ message: expect.stringContaining("https://example.org"), type: "Debug" });
  });

  requirement("passkey.origins", "comes from a page that the settings allow", async () => {
    const world = await startPasskeys(startInMemory);
    const authenticator = await registered(world);
    for (const origin of [
      "https://example.org",
      "http://example.com",
      "https://example.com:8443",
      "https://login.example.com",
      "null",
    ]) {
      const credential = authenticator.get(await beginLogin(world.caller), { origin });
      expectRefusal(await sendLogin(world, credential, { origin }), 400, "[invalid]origin");
    }
    const credential = authenticator.get(await beginLogin(world.caller), { rpId: "com" });
    expectRefusal(await sendLogin(world, credential, { rpId: "com" }), 400, "[invalid]rpId");
  });

  requirement("passkey.origins", "may come from further pages of the domain, and from apps", async () => {
    const app = "android:apk-key-hash:AAAA";
    const origins = ["https://login.example.com", "https://example.org", app];
    const passkeys = simpleWebAuthn({ origins });
    const world = await startPasskeys(startInMemory, { passkeys, publicUrl: "https://id.example.com/identity" });
    const authenticator = await registered(world);
    const use = async (origin: string) =>
      sendLogin(world, authenticator.get(await beginLogin(world.caller), { origin }), { origin });
    for (const origin of ["https://login.example.com", "https://id.example.com", app]) expectOk(await use(origin));
    for (const origin of ["https://example.org", "https://other.example.com"])
      expectRefusal(await use(origin), 400, "[invalid]origin");
  });

  requirement("passkey.origins", "may come from any port of localhost", async () => {
    const world = await startPasskeys(startInMemory);
    await setTenant(world, { webAuthnConfiguration: { relyingPartyId: "localhost" } });
    const page = { origin: "http://localhost:3000", rpId: "localhost" };
    const authenticator = new SoftwareAuthenticator("ES256", page);
    const credential = authenticator.create(await beginRegistration(world.caller));
    expectOk(await sendRegistration(world.caller, credential, page));
    expectOk(await sendLogin(world, authenticator.get(await beginLogin(world.caller)), page));
    // A passkey of the domain before is of no use any more.
    await setTenant(world, { webAuthnConfiguration: { relyingPartyId: "example.com" } });
    const answer = authenticator.get(await beginLogin(world.caller), testPage);
    expectEmpty(await sendLogin(world, answer), 404);
    expectRefusal(await world.caller.post(`${base}/start`, { userId: ids.user }), 400, "[notConfigured]userId");
  });

  requirement("passkey.setup", "needs the option of the service, and is no dry run", async () => {
    const world = await startPasskeys(startInMemory, { passkeys: undefined });
    for (const [path, body] of [
      ["start", {}],
      ["register/start", { displayName: "Mine", userId: ids.user }],
    ] as const)
      expectRefusal(await world.caller.post(`${base}/${path}`, body), 400, "[notConfigured]passkeys");
    expectEmpty(
      await anybody(world).post(`${base}/login`, {
        credential: new SoftwareAuthenticator().get({ challenge: "x" }),
        ...testPage,
      }),
      404,
    );
    expectRefusal(await world.caller.post(`${base}/login?dryRun=true`, {}), 400, "[invalid]dryRun");
  });

  requirement("passkey.versions", "exists since 1.41.0, in the plan essentials", async () => {
    const before = await startInMemory({ version: "1.40.0" });
    expectEmpty(await before.caller.post(`${base}/start`, {}), 404);
    const tenant = expectOk(await before.caller.get(`/api/tenant/${before.defaultTenantId}`));
    expect(tenant.at("tenant.webAuthnConfiguration")).toBeUndefined();
    const world = await startInMemory({ passkeys: simpleWebAuthn(), plan: "starter" });
    const wanted = { tenant: { webAuthnConfiguration: { enabled: true } } };
    const answer = await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, wanted);
    expectRefusal(answer, 400, "[notLicensed]tenant.webAuthnConfiguration.enabled");
    expectRefusal(await world.caller.post(`${base}/start`, {}), 400, "[notLicensed]credential");
    expectRefusal(await world.caller.post(`${base}/import`, { credentials: [] }), 400, "[notLicensed]credential");
  });
});

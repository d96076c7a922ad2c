import { createHmac, createPublicKey, verify } from "node:crypto";
import { type RecordedEvent, verifyWebhook, type WebhookKeys, WebhookVerificationError } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { describe, expect, vi } from "vitest";
import { expectRefusal } from "../support/answer.js";
import { makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { type Received, startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { startWorld, type World } from "../support/world.js";

const secret = "a shared secret of the tests, of at least sixty-four bytes: 0123456789abcdef";

interface Scene extends World {
  readonly received: Received;
  readonly keys: WebhookKeys;
}

/** An event that was signed by a key of this algorithm and sent. */
async function receive(algorithm: string, ownSecret: string = secret): Promise<Scene> {
  const world = await startWorld(memoryStorage(), { allowPrivateNetwork: true });
  const sink = await startSink();
  const isShared = algorithm.startsWith("HS");
  const key = isShared
    ? (await world.caller.post("/api/key/import", { key: { name: "K", algorithm, secret: ownSecret } })).textAt("key.id")
    : (
        await world.caller.post("/api/key/generate", {
          key: { name: "K", algorithm, length: algorithm.startsWith("RS") ? 2048 : undefined },
        })
      ).textAt("key.id");
  const signatureConfiguration = { enabled: true, signingKeyId: key };
  await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "group.create": true }, signatureConfiguration });
  await makeGroup(world, world.defaultTenantId, "Editors");
  await world.identity.start();
  await vi.waitFor(() => expect(sink.received).toHaveLength(1), 10_000);
  const clock = world.clock.now;
  const keys = isShared ? { secret: ownSecret, clock } : { jwks: await world.identity.keys.jwks(), clock };
  return { ...world, keys, received: sink.received[0] as Received };
}

function refusalOf(received: Pick<Received, "headers" | "body">, keys: WebhookKeys): Promise<unknown> {
  return verifyWebhook(received, keys).then(
    (event: RecordedEvent) => event,
    (error: unknown) => (error instanceof WebhookVerificationError ? error.message : error),
  );
}

describe("a receiver", () => {
  for (const algorithm of ["ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "HS256", "HS384", "HS512", "Ed25519"])
    requirement(["signature.jws", "signature.verified"], `finds the event that was signed by ${algorithm}`, async () => {
      const { received, keys } = await receive(algorithm);
      const event = await verifyWebhook(received, keys);
      expect(event).toMatchObject({ type: "group.create", group: { name: "Editors" } });
      expect(await verifyWebhook({ ...received, body: Buffer.from(received.body) }, keys)).toEqual(event);
    });

  requirement("signature.verified", "finds no event in a body that was changed", async () => {
    const { received, keys } = await receive("ES256");
    const body = received.body.replace("Editors", "Owners_");
    expect(await refusalOf({ ...received, body }, keys)).toBe("The signature is one of another body.");
    expect(await refusalOf({ ...received, body: `${received.body} ` }, keys)).toBe("The signature is one of another body.");
  });

  requirement("signature.verified", "refuses an old event, since its signature may have been intercepted", async () => {
    const { received, keys, clock } = await receive("ES256");
    clock.advance(301_000);
    expect(await refusalOf(received, keys)).toMatch("too old");
    expect(await refusalOf(received, { ...keys, toleranceSeconds: 600 })).toMatchObject({ type: "group.create" });
  });

  requirement("signature.verified", "finds no event that another key has signed", async () => {
    const [one, other] = [await receive("ES256"), await receive("ES256")];
    expect(await refusalOf(one.received, other.keys)).toBe("The signature is not one of these keys.");
    expect(await refusalOf(one.received, { secret, clock: one.clock.now })).toBe("The signature is not one of these keys.");
  });

  requirement("signature.verified", "does not take a public key for a shared secret", async () => {
    const { keys, received, clock } = await receive("RS256");
    const [jwk] = keys.jwks?.keys ?? [];
    const pem = createPublicKey({ key: { ...jwk }, format: "jwk" }).export({ format: "pem", type: "spki" });
    const [, payload] = String(received.headers["x-service-signature-jwt"]).split(".");
    const header = Buffer.from(JSON.stringify({ alg: "HS256", kid: jwk?.kid, typ: "JWT" })).toString("base64url");
    const mac = createHmac("sha256", pem).update(`${header}.${payload}`).digest("base64url");
    const forged = { ...received, headers: { "x-service-signature-jwt": `${header}.${payload}.${mac}` } };
    expect(await refusalOf(forged, { jwks: keys.jwks, clock: clock.now })).toBe("The signature is not one of these keys.");
  });

  for (const [what, headers] of [
    ["no signature", {}],
    ["two", { "x-service-signature-jwt": ["a", "b"] }],
    ["two of different spelling", { "x-service-signature-jwt": "a.b.c", "X-Service-Signature-JWT": "a.b.c" }],
    ["nonsense", { "x-service-signature-jwt": "nonsense" }],
  ] as const)
    requirement("signature.verified", `finds no event in a request with ${what}`, async () => {
      expect(await refusalOf({ headers: headers as never, body: "{}" }, { secret })).toMatch("header X-Service-Signature-JWT");
    });

  requirement("signature.verified", "requires a key", async () => {
    await expect(verifyWebhook({ headers: {}, body: "" }, {})).rejects.toThrow(TypeError);
  });
});

describe("the headers of Standard Webhooks", () => {
  const contentOf = ({ headers, body }: Received): string => `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;

  requirement("signature.standard", "are signed by the shared secret", async () => {
    const { received } = await receive("HS512");
    const mac = createHmac("sha256", secret).update(contentOf(received)).digest("base64");
    expect(received.headers["webhook-signature"]).toBe(`v1,${mac}`);
    expect(received.headers["webhook-id"]).toBe(JSON.parse(received.body).event.id);
  });

  requirement("signature.standard", "take a secret that is written as whsec_ and Base64 for its bytes", async () => {
    const bytes = Buffer.alloc(24, "standard");
    const { keys, received } = await receive("HS256", `whsec_${bytes.toString("base64")}`);
    const mac = createHmac("sha256", bytes).update(contentOf(received)).digest("base64");
    expect(received.headers["webhook-signature"]).toBe(`v1,${mac}`);
    expect(await verifyWebhook(received, keys)).toMatchObject({ type: "group.create" });
    const { caller } = await startWorld(memoryStorage());
    const short = { name: "K", algorithm: "HS256", secret: `whsec_${Buffer.alloc(23).toString("base64")}` };
    expectRefusal(await caller.post("/api/key/import", { key: short }), 400, "[tooShort]key.secret");
  });

  requirement("signature.standard", "are signed by Ed25519", async () => {
    const { received, keys } = await receive("Ed25519");
    const [version, signature = ""] = String(received.headers["webhook-signature"]).split(",");
    const key = createPublicKey({ key: { ...keys.jwks?.keys.find(({ kty }) => kty === "OKP") }, format: "jwk" });
    expect(version).toBe("v1a");
    expect(verify(null, Buffer.from(contentOf(received)), key, Buffer.from(signature, "base64"))).toBe(true);
  });

  requirement("signature.standard", "are absent where the key is of another kind", async () => {
    const { received } = await receive("ES256");
    expect(Object.keys(received.headers).filter((name) => name.startsWith("webhook-"))).toEqual([]);
  });
});

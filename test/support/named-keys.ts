import { expect } from "vitest";
import { expectOk, expectRefusal } from "./answer.js";
import { Caller } from "./caller.js";
import { loginBody } from "./logins.js";
import { type NamingPlace, namingPlaces } from "./naming-places.js";
import { type KeyKind, keyKinds, type Scene } from "./token-places.js";
import type { World } from "./world.js";

const webhookPath = "webhook.signatureConfiguration.signingKeyId";
/** The places that name keys for tokens. */
export const forTokens: readonly NamingPlace[] = namingPlaces.filter(({ path = "" }) => path.includes(".jwtConfiguration."));
/** The place that names keys for webhook signatures. */
export const ofWebhook: NamingPlace = namingPlaces.find(({ path }) => path === webhookPath) ?? expect.fail();
/** A shared secret. */
export const hmac: KeyKind = keyKinds[0] ?? expect.fail();
/** A key pair. */
export const pair: KeyKind = keyKinds[1] ?? expect.fail();

/** Expects a place to refuse a key, with an error at its path. */
export async function expectNotTaken(scene: Scene, place: NamingPlace, keyId: string): Promise<void> {
  const [wrapper = "", ...path] = (place.path ?? "").split(".");
  const urls: Readonly<Record<string, string>> = {
    application: `/api/application/${scene.applicationId}`,
    entityType: `/api/entity/type/${scene.typeId}`,
    tenant: `/api/tenant/${scene.tenantId}`,
    webhook: `/api/webhook/${scene.webhookId}`,
  };
  const record = path.reduceRight<unknown>((value, name) => ({ [name]: value }), keyId);
  const answer = await scene.world.caller.patch(urls[wrapper] ?? "", { [wrapper]: record });
  expectRefusal(answer, 400, `[invalid]${place.path}`);
}

const firstTokens = new Map<Scene, string>();
/** The first token of a scene. */
export const first = (scene: Scene): string => firstTokens.get(scene) ?? "";

/** Logs in the user of a scene. */
export async function logInto(scene: Scene): Promise<{ readonly token: string }> {
  const { user } = (await scene.world.identity.users.retrieve({ userId: scene.userId })) as { user: { username?: string } };
  const body = loginBody({ applicationId: undefined, loginId: user.username, password: "correct horse" });
  const answer = expectOk(await scene.world.caller.inTenant(scene.tenantId).post("/api/login", body));
  const token = answer.textAt("token");
  if (!firstTokens.has(scene)) firstTokens.set(scene, token);
  return { token };
}

/** Presents a token. */
export function validate({ identity }: Pick<World, "identity">, token: string): Promise<{ readonly status: number }> {
  return new Caller(identity, { Authorization: `Bearer ${token}` }).get("/api/jwt/validate");
}

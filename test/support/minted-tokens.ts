import { defaultApiEntityId } from "latchkey";
import type { Scene, Sign } from "./token-places.js";
import { uuid } from "./world.js";

/** A token, and the kind of its subject if its key is valid for it; undefined if no key makes it valid. */
export interface MintedToken {
  readonly name: string;
  readonly of: "user" | "client" | undefined;
  readonly token: string;
}

/** All kinds of tokens that a key can sign, valid and invalid ones. */
export async function mintTokens(scene: Scene, sign: Sign, other: Scene): Promise<readonly MintedToken[]> {
  const { applicationId, entityId, tenantId, userId } = scene;
  const now = scene.world.clock.instant / 1_000;
  const common = { exp: now + 600, iat: now, iss: "latchkey", tid: tenantId };
  const user = { ...common, aud: applicationId, sub: userId, tty: "at" };
  const permissions = { [defaultApiEntityId]: ["GET:/api/group"] };
  const client = { ...common, aud: defaultApiEntityId, permissions, sub: entityId };
  const gty = { gty: ["client_credentials"] };
  const rows: readonly (readonly [string, MintedToken["of"], object, object])[] = [
    ["a user's", "user", {}, user],
    ["a user's of type at+jwt", "user", { typ: "at+jwt" }, user],
    ["a user's of no type", "user", { typ: undefined }, user],
    ["a user's for nobody", "user", {}, { ...user, aud: undefined }],
    ["a user's for several", "user", {}, { ...user, aud: [other.applicationId, applicationId] }],
    ["a client's", "client", gty, client],
    ["a client's of type at+jwt", "client", { ...gty, typ: "at+jwt" }, client],
    ["an identity token", undefined, {}, { ...user, tty: undefined, nonce: "n" }],
    ["an identity token by its tty", undefined, {}, { ...user, tty: "id" }],
    ["the signature of an event", undefined, {}, { iat: now, request_body_sha256: "x" }],
    ["the signature of an event that says more", undefined, {}, { ...common, sub: userId, request_body_sha256: "x" }],
    ["a proof of possession", undefined, { typ: "dpop+jwt" }, user],
    ["a proof of possession of a client", undefined, { ...gty, typ: "dpop+jwt" }, client],
    ["a logout token", undefined, { typ: "logout+jwt" }, user],
    ["a type in small letters", undefined, { typ: "jwt" }, user],
    ["a type that is a list", undefined, { typ: ["JWT"] }, user],
    ["another issuer", undefined, {}, { ...user, iss: "https://evil.example" }],
    ["no issuer", undefined, {}, { ...user, iss: undefined }],
    ["another issuer of a client", undefined, gty, { ...client, iss: "https://evil.example" }],
    ["an application of another tenant", undefined, {}, { ...user, aud: other.applicationId }],
    ["an application that is none", undefined, {}, { ...user, aud: "shop" }],
    ["another tenant", undefined, {}, { ...user, aud: undefined, sub: other.userId, tid: other.tenantId }],
    ["another tenant of a client", undefined, gty, { ...client, sub: other.entityId, tid: other.tenantId }],
    ["a tenant that is none", undefined, {}, { ...user, tid: uuid(9) }],
    ["no tenant", undefined, {}, { ...user, tid: undefined }],
    ["no end", undefined, {}, { ...user, exp: undefined }],
    ["a subject that is no id", undefined, {}, { ...user, sub: "ann" }],
    ["a grant that is a text", undefined, { gty: "client_credentials" }, client],
  ];
  return Promise.all(rows.map(async ([name, of, header, claims]) => ({ name, of, token: await sign(header, claims) })));
}

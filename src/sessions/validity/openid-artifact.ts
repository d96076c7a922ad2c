import type { OpenIdContent } from "../../records/openid-records.js";
import type { Proof } from "../../records/refresh-tokens/schema.js";
import type { ArtifactKind } from "./artifacts.js";
import type { Artifact } from "./check-artifact.js";

/** An artifact of the OpenID provider. */
export interface OpenIdArtifact {
  readonly kind: Extract<
    ArtifactKind,
    "authorizationCode" | "browserSession" | "deviceCode" | "heldLogin" | "openIdRefreshToken"
  >;
  /** The content that the provider's library stores, and the `proof`; without one, only the user is checked. */
  readonly content: OpenIdContent;
}

/** Converts it to the artifact to check. */
export function toArtifact(
  { content, kind }: OpenIdArtifact,
  of: Pick<Artifact, "applicationId" | "tenantId" | "userId">,
): Artifact {
  const { gty, scope } = content;
  const grants = typeof gty === "string" ? gty.split(" ").map((name) => name.replace(/^.*:/, "")) : undefined;
  const own = grantOf[kind];
  return {
    ...of,
    kind,
    proof: readProof(content),
    registration: "asked",
    grants: own === undefined ? grants : [own],
    scope: typeof scope === "string" ? scope : undefined,
  };
}

const grantOf: Readonly<Partial<Record<ArtifactKind, string>>> = {
  authorizationCode: "authorization_code",
  deviceCode: "device_code",
};

// Earlier versions stored only the second of the login.
function readProof({ authTime, authenticationType, loginTs, proof, ts }: OpenIdContent): Proof | undefined {
  if (typeof proof === "object" && proof !== null) return proof as Proof;
  const second = [loginTs, ts, authTime].find((one) => typeof one === "number");
  if (typeof second !== "number") return undefined;
  const at = second * 1_000;
  return { at, until: at + 999, by: typeof authenticationType === "string" ? [authenticationType] : [] };
}

/** A proof of possession verified with jose: the key that it shows, the signature, and the claims by hand, as RFC 9449, 4.3 wants them. */
import { hash } from "node:crypto";
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from "jose";

export interface Presented {
  readonly proof: string;
  readonly method: string;
  readonly url: string;
  readonly token: string;
  /** Of the key that the token is bound to. */
  readonly thumbprint: string;
  readonly now: number;
}

/** Whether the proof is right, and by the key that the token is bound to. */
export const verifyWithJose = async ({ proof, method, url, token, thumbprint, now }: Presented): Promise<boolean> => {
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
    typ: "dpop+jwt",
    algorithms: ["ES256", "EdDSA", "RS256"],
    maxTokenAge: 60,
    clockTolerance: 60,
    currentDate: new Date(now),
  });
  const isForRequest = payload.htm === method && payload.htu === url && typeof payload.jti === "string";
  const isForToken = payload.ath === hash("sha256", token, "base64url");
  return isForRequest && isForToken && (await calculateJwkThumbprint(protectedHeader.jwk as JWK)) === thumbprint;
};

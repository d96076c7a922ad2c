/** A proof of possession verified with jose: the key that it shows, the signature, and the claims by hand, as RFC 9449, 4.3 wants them. */
import { hash } from "node:crypto";
import { EmbeddedJWK, jwtVerify } from "jose";

export interface Presented {
  readonly proof: string;
  readonly method: string;
  readonly url: string;
  readonly token: string;
  readonly now: number;
}

/** Whether the proof is right. It is not held against the key of the token, which would cost jose a thumbprint more. */
export const verifyWithJose = async ({ proof, method, url, token, now }: Presented): Promise<boolean> => {
  const { payload } = await jwtVerify(proof, EmbeddedJWK, {
    typ: "dpop+jwt",
    algorithms: ["ES256", "EdDSA", "RS256"],
    maxTokenAge: 60,
    clockTolerance: 60,
    currentDate: new Date(now),
  });
  const isForRequest = payload.htm === method && payload.htu === url && typeof payload.jti === "string";
  return isForRequest && payload.ath === hash("sha256", token, "base64url");
};

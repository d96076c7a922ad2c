import { hash } from "node:crypto";
import { generateKeyPair, SignJWT } from "jose";

/** Signs the digest of a body with jose, as its documentation shows. */
export const createSigner = async (alg: string): Promise<(body: string) => Promise<string>> => {
  const { privateKey } = await generateKeyPair(alg === "Ed25519" ? "EdDSA" : alg);
  return (body) =>
    new SignJWT({ request_body_sha256: hash("sha256", body, "base64") })
      .setProtectedHeader({ alg: alg === "Ed25519" ? "EdDSA" : alg, typ: "JWT", kid: "bench" })
      .setIssuedAt()
      .sign(privateKey);
};

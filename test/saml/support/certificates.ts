import { createCertificate } from "../../../adapters/saml/signatures/self-signed-certificate.js";
import type { Pair } from "./keys.js";

/** Returns a certificate of a key, in PEM. */
export function certificateOf({ privateKey }: Pick<Pair, "privateKey">): string {
  return createCertificate(privateKey, "test");
}

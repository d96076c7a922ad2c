import type { KeyObject } from "node:crypto";
import type { ProtocolHost } from "latchkey/ports";
import type { SamlMessage } from "../messages/decode-message.js";
import type { RedirectQuery } from "../messages/read-query.js";
import type { SamlApplication } from "../server/saml-applications.js";
import type { XmlElement } from "../xml/xml-element.js";
import { XmlError } from "../xml/xml-error.js";
import { verifyQuery, verifyRoot } from "./verify-signature.js";

/** The signature of a request, and its application. */
export interface RequestSignature {
  readonly host: ProtocolHost;
  readonly to: SamlApplication;
  readonly isSigned: boolean;
  /** The query, for a redirect. */
  readonly query: RedirectQuery | undefined;
}

/**
 * Returns the request as signed. A present signature is verified if the application has a key for it.
 * @throws XmlError
 */
export async function verifyRequest({ document, root }: SamlMessage, signature: RequestSignature): Promise<XmlElement> {
  const { requireSignedRequests } = signature.to.settings;
  if (requireSignedRequests && !signature.isSigned) throw new XmlError("The request is not signed.");
  const keys = signature.isSigned ? await findVerificationKeys(signature) : [];
  const verify = (key: KeyObject): XmlElement => {
    if (signature.query === undefined) return verifyRoot(document, root, key);
    verifyQuery(signature.query, key);
    return root;
  };
  for (const [index, key] of keys.entries())
    try {
      return verify(key);
    } catch (error) {
      // During a key rotation, the next key may match.
      if (index === keys.length - 1) throw error;
    }
  return root;
}

async function findVerificationKeys({ host, to }: RequestSignature): Promise<readonly KeyObject[]> {
  const { defaultVerificationKeyId, verificationKeyIds = [] } = to.settings;
  const ids = [...(defaultVerificationKeyId === undefined ? [] : [defaultVerificationKeyId]), ...verificationKeyIds];
  const found = await Promise.all(ids.map((id) => host.findKey(id)));
  return found.map((loaded) => {
    const key = loaded?.verificationKey;
    if (key?.asymmetricKeyType !== "rsa") throw new XmlError("A key for requests of the application is no RSA key.");
    return key;
  });
}

import type { ApiResponse, SignInRecord } from "latchkey/ports";
import { type PublishedKey, writeProviderMetadata } from "../messages/metadata.js";
import { metadata } from "../server/responses.js";
import type { SamlCall } from "../server/saml-call.js";
import { samlVisitor } from "../server/visitor.js";
import { createCertificate } from "../signatures/self-signed-certificate.js";
import { XmlError } from "../xml/xml-error.js";
import { readProviderSettings } from "./provider-settings.js";
import { findConsumerUrl, findEntityId } from "./urls.js";

/**
 * Returns the metadata of this service as a service provider of an identity provider.
 * @throws XmlError for an unknown provider.
 */
export async function showServiceProvider({ host, id: identityProviderId, publicUrl }: SamlCall): Promise<ApiResponse> {
  const found = await host
    .as(samlVisitor)
    .identityProviders.retrieve({ identityProviderId })
    .catch(() => undefined);
  const provider = found?.identityProvider as SignInRecord | undefined;
  if (provider === undefined || !provider.type.startsWith("SAMLv2")) throw new XmlError("There is no such identity provider.");
  const settings = readProviderSettings(provider);
  const keys: readonly (readonly [PublishedKey["use"], string | undefined])[] = [
    ["signing", settings.signingKeyId],
    ["encryption", settings.decryptionKeyId],
  ];
  const published = await Promise.all(
    keys.map(async ([use, keyId]) => {
      const key = keyId === undefined ? undefined : await host.findKey(keyId);
      const privateKey = key?.signingKey;
      if (key === undefined || privateKey?.asymmetricKeyType !== "rsa") return [];
      return [{ use, certificate: key.certificate ?? createCertificate(privateKey, key.kid) }];
    }),
  );
  return metadata(
    writeProviderMetadata({
      entityId: findEntityId(settings, publicUrl),
      consumerUrl: findConsumerUrl(settings, { redirectUri: undefined, isInitiated: !settings.hasRequests, publicUrl }),
      keys: published.flat(),
      signsRequests: settings.signingKeyId !== undefined,
      nameIdFormat: settings.nameIdFormat,
    }),
  );
}

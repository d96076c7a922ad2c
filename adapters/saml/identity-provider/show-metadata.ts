import type { ApiResponse } from "latchkey/ports";
import { writeIdentityProviderMetadata } from "../messages/metadata.js";
import { metadata } from "../server/responses.js";
import type { SamlCall } from "../server/saml-call.js";
import { samlVisitor } from "../server/visitor.js";
import { XmlError } from "../xml/xml-error.js";
import { allowedNameFormats } from "./name-id-formats.js";
import { findSigningKey } from "./signing-key.js";

/**
 * Returns the metadata of this service as a tenant's identity provider, with the keys of all the tenant's applications.
 * @throws XmlError
 */
export async function showIdentityProvider({ applications, host, id: tenantId, publicUrl }: SamlCall): Promise<ApiResponse> {
  const tenant = await host
    .as(samlVisitor)
    .tenants.retrieve({ tenantId })
    .catch(() => undefined);
  if (tenant === undefined) throw new XmlError("There is no such tenant.");
  const served = await applications.list(tenantId);
  const keyIds = new Set(served.map(({ settings }) => settings.keyId));
  const keys = await Promise.all([...keyIds].map((keyId) => findSigningKey(host, keyId)));
  return metadata(
    writeIdentityProviderMetadata({
      entityId: `${publicUrl}/samlv2/${tenantId}`,
      loginUrl: `${publicUrl}/samlv2/login/${tenantId}`,
      keys: keys.map(({ certificate }) => ({ use: "signing", certificate })),
      wantsSignedRequests: served.some(({ settings }) => settings.requireSignedRequests),
      nameIdFormats: allowedNameFormats,
    }),
  );
}

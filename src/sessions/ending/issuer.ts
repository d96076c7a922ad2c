import { toCanonicalUrl } from "../../shared/http.js";

/**
 * The issuer of a tenant's OpenID provider: the public URL if it is the tenant's issuer too, else the public URL and the tenant's
 * id; undefined without a public URL (docs/reference/openid.md#issuers).
 */
export function openIdIssuerOf(
  publicUrl: string | undefined,
  { id, issuer }: { readonly id: string; readonly issuer?: string | undefined },
): string | undefined {
  if (publicUrl === undefined) return undefined;
  return isRootIssuer(publicUrl, issuer) ? publicUrl : `${publicUrl}/${id}`;
}

/** Whether the issuer of a tenant is the public URL of the service, in any spelling. */
export function isRootIssuer(publicUrl: string, issuer: string | undefined): boolean {
  return issuer !== undefined && (issuer === publicUrl || toCanonicalUrl(issuer) === publicUrl);
}

import { toCanonicalUrl } from "../../shared/http.js";

/**
 * The issuer of the OpenID provider of a tenant: the tenant's own where it is the public URL of the service, else that with the id of the
 * tenant; undefined without a public URL (docs/reference/openid.md#issuers).
 */
export function openIdIssuerOf(
  publicUrl: string | undefined,
  { id, issuer }: { readonly id: string; readonly issuer?: string | undefined },
): string | undefined {
  if (publicUrl === undefined) return undefined;
  return isRootIssuer(publicUrl, issuer) ? publicUrl : `${publicUrl}/${id}`;
}

/** Whether the issuer of a tenant is the public URL of the service, however it is written. */
export function isRootIssuer(publicUrl: string, issuer: string | undefined): boolean {
  return issuer !== undefined && (issuer === publicUrl || toCanonicalUrl(issuer) === publicUrl);
}

/**
 * The issuer of the OpenID provider of a tenant: the tenant's own where it is the public URL of the service, else that with the id of the
 * tenant; undefined without a public URL (docs/reference/openid.md#issuers).
 */
export function openIdIssuerOf(
  publicUrl: string | undefined,
  { id, issuer }: { readonly id: string; readonly issuer?: string | undefined },
): string | undefined {
  if (publicUrl === undefined) return undefined;
  return issuer === publicUrl ? issuer : `${publicUrl}/${id}`;
}

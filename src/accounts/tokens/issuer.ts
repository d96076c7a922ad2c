const defaultIssuer = "latchkey";

/** What the tokens of a tenant say in `iss`. */
export function issuerOf({ issuer }: { readonly issuer?: string | undefined }): string {
  return issuer ?? defaultIssuer;
}

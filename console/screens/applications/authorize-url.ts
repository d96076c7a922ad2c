/** The parameters of an authorization request (OAuth 2.0). */
export interface AuthorizeRequest {
  /** The base URL of the service, without a trailing slash. */
  readonly base: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  /** Whether the user must log in again despite an existing session. */
  readonly isAnew: boolean;
  /** The identity provider to redirect to immediately; empty for the login page. */
  readonly provider: string;
  /** The PKCE challenge (S256); undefined for none. */
  readonly challenge: string | undefined;
}

/** Builds the URL to which an application redirects the browser of a user. */
export function toAuthorizeUrl({ base, challenge, clientId, isAnew, provider, redirectUri, scope }: AuthorizeRequest): string {
  const url = new URL(`${base}/oauth2/authorize`);
  const parameters = {
    client_id: clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    scope: scope.trim(),
    state: "console",
    ...(isAnew && { prompt: /\boffline_access\b/.test(scope) ? "login consent" : "login" }),
    ...(provider !== "" && { idp_hint: provider }),
    ...(challenge !== undefined && { code_challenge: challenge, code_challenge_method: "S256" }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Builds a shell command that exchanges the authorization code for tokens. */
export function toTokenCall({ base, clientId, redirectUri }: AuthorizeRequest, verifier: string | undefined): string {
  const fields = ["grant_type=authorization_code", "code=CODE", `redirect_uri=${encodeURIComponent(redirectUri)}`];
  if (verifier !== undefined) fields.push(`code_verifier=${verifier}`);
  return `curl -u '${clientId}:CLIENT_SECRET' '${base}/oauth2/token' -d '${fields.join("&").replaceAll("'", "%27")}'`;
}

/** Generates 256 random bits in base64url, for a client secret or a PKCE verifier. */
export function makeSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Computes the PKCE challenge of a verifier (RFC 7636, S256). Rejects outside of secure contexts. */
export async function toChallenge(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

/** Encodes bytes in base64url, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** What an authorization request asks for. */
export interface AuthorizeRequest {
  /** The URL of the service, without a slash at its end. */
  readonly base: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  /** Whether the user logs in though there is a session. */
  readonly isAnew: boolean;
  /** The identity provider to go to at once; empty for the login page. */
  readonly provider: string;
  /** The PKCE challenge (S256); undefined for none. */
  readonly challenge: string | undefined;
}

/** The URL that an application sends the browser of a user to. */
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

/** The call that turns the code into tokens, for a shell. */
export function toTokenCall({ base, clientId, redirectUri }: AuthorizeRequest, verifier: string | undefined): string {
  const fields = ["grant_type=authorization_code", "code=CODE", `redirect_uri=${encodeURIComponent(redirectUri)}`];
  if (verifier !== undefined) fields.push(`code_verifier=${verifier}`);
  return `curl -u '${clientId}:CLIENT_SECRET' '${base}/oauth2/token' -d '${fields.join("&").replaceAll("'", "%27")}'`;
}

/** A secret of 256 random bits: of a client, or a PKCE verifier. */
export function makeSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** The PKCE challenge of a verifier (RFC 7636, S256). Rejects outside of secure contexts. */
export async function toChallenge(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

/** Bytes in base64url. */
export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

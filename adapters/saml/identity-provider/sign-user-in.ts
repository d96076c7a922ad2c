import { hash } from "node:crypto";
import { decodeJwt } from "jose";
import type { ApiRequest, ProtocolHost } from "latchkey/ports";
import type { SamlApplication } from "../server/saml-applications.js";
import type { LoginState } from "./login-state.js";

/** The user of a login, with its time and methods. */
export interface Subject {
  readonly userId: string;
  /** The instant of the login, in epoch milliseconds. */
  readonly authInstant: number;
  /** The authentication methods (RFC 8176). */
  readonly methods: readonly string[];
  /** The session of the OpenID provider. */
  readonly sessionId: string | undefined;
}

const paths = { authorize: "/oauth2/authorize", token: "/oauth2/token" };

/** The callback path for the OpenID provider; the id of the tenant follows it. */
export const signInCallbackPath = "/samlv2/callback";

/** Options of the request to the OpenID provider. */
export interface SignInOptions {
  readonly isForced: boolean;
  readonly isPassive: boolean;
  readonly loginHint: string | undefined;
}

const centurySeconds = 3_155_760_000;

/** Returns the login URL: this service's own OpenID provider, with the application as its client. */
export function toAuthorizeUrl(
  publicUrl: string,
  state: LoginState,
  { sealed, options }: { readonly sealed: string; readonly options: SignInOptions },
): string {
  const prompt = [options.isPassive ? "none" : [], options.isForced && !options.isPassive ? "login" : []].flat();
  const parameters = new URLSearchParams({
    client_id: state.applicationId,
    redirect_uri: `${publicUrl}${signInCallbackPath}/${state.tenantId}`,
    response_type: "code",
    scope: "openid",
    state: sealed,
    code_challenge: hash("sha256", state.codeVerifier, "base64url"),
    code_challenge_method: "S256",
  });
  if (prompt.length > 0) parameters.set("prompt", prompt.join(" "));
  // With any `max_age`, the ID token has the time of the login.
  parameters.set("max_age", options.isForced && options.isPassive ? "0" : String(centurySeconds));
  if (options.loginHint !== undefined) parameters.set("login_hint", options.loginHint);
  return `${publicUrl}${paths.authorize}?${parameters}`;
}

/** A returned authorization code. */
export interface ReturnedCode {
  readonly code: string;
  readonly state: LoginState;
  readonly publicUrl: string;
  /** The request with the code; it has the address of the browser. */
  readonly request: ApiRequest;
}

/** Exchanges a code in process, as the application; undefined for an invalid one. */
export async function findSubject(
  host: ProtocolHost,
  { application }: SamlApplication,
  returned: ReturnedCode,
): Promise<Subject | undefined> {
  const { code, state, publicUrl, request } = returned;
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: application.id,
    client_secret: application.oauthConfiguration?.clientSecret ?? "",
    code,
    code_verifier: state.codeVerifier,
    redirect_uri: `${publicUrl}${signInCallbackPath}/${state.tenantId}`,
  });
  const headers = { host: String(request.headers.host ?? ""), "content-type": "application/x-www-form-urlencoded" };
  const { basePath, isEncrypted, remoteAddress } = request;
  const transport = { basePath, isEncrypted, remoteAddress };
  const text = { kind: "text", text: body.toString() } as const;
  const answer = await host.callProtocol({ method: "POST", path: paths.token, query: "", headers, body: text, ...transport });
  return answer?.status === 200 ? toSubject(answer.body) : undefined;
}

// The token comes from this process, so it needs no verification.
function toSubject(body: string): Subject | undefined {
  const { id_token: token } = JSON.parse(body) as { readonly id_token?: unknown };
  if (typeof token !== "string") return undefined;
  const { amr, auth_time: authTime, iat = 0, sid, sub } = decodeJwt<{ amr?: unknown; auth_time?: unknown; sid?: unknown }>(token);
  if (sub === undefined) return undefined;
  return {
    userId: sub,
    authInstant: (typeof authTime === "number" ? authTime : iat) * 1_000,
    methods: Array.isArray(amr) ? amr.filter((one) => typeof one === "string") : [],
    sessionId: typeof sid === "string" ? sid : undefined,
  };
}

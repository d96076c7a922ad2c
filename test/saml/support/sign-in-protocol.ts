// An OpenID provider that a test plays: a protocol of a host's own, which logs in the user whom the test names.
import { hash } from "node:crypto";
import type { Protocol } from "latchkey/ports";

/** What the provider was asked, and whom it logs in. */
export interface SignInScript {
  readonly asked: URLSearchParams[];
  readonly exchanged: URLSearchParams[];
  userId: string;
  methods: readonly string[];
  /** The error that it answers instead. */
  error: string | undefined;
}

/** Returns the protocol and its script. */
export function scriptedSignIn(): { readonly protocol: Protocol; readonly script: SignInScript } {
  const script: SignInScript = { asked: [], exchanged: [], userId: "", methods: ["pwd"], error: undefined };
  const codes = new Map<string, URLSearchParams>();
  const protocol: Protocol = {
    name: "oidc",
    path: "/oauth2",
    start: async (host) => async (request) => {
      if (request.path === "/oauth2/authorize") return authorize(new URLSearchParams(request.query));
      if (request.path === "/oauth2/token") return exchange(new URLSearchParams(await host.readForm(request)), host.clock());
      return undefined;
    },
  };

  function authorize(asked: URLSearchParams) {
    script.asked.push(asked);
    const code = `code-${script.asked.length}`;
    codes.set(code, asked);
    const result: Record<string, string> = script.error === undefined ? { code } : { error: script.error };
    const answer = new URLSearchParams({ ...result, state: asked.get("state") ?? "" });
    return { status: 303, headers: { location: `${asked.get("redirect_uri")}?${answer}` }, body: "" };
  }

  function exchange(given: URLSearchParams, now: number) {
    script.exchanged.push(given);
    const asked = codes.get(given.get("code") ?? "");
    codes.delete(given.get("code") ?? "");
    const isProven = asked?.get("code_challenge") === hash("sha256", given.get("code_verifier") ?? "", "base64url");
    const isSame = asked?.get("redirect_uri") === given.get("redirect_uri") && asked?.get("client_id") === given.get("client_id");
    if (!isProven || !isSame) return { status: 400, headers: {}, body: '{"error":"invalid_grant"}' };
    const seconds = Math.floor(now / 1_000);
    const claims = { sub: script.userId, auth_time: seconds - 30, iat: seconds, amr: script.methods, sid: "session-1" };
    const token = [{ alg: "ES256" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
    return { status: 200, headers: {}, body: JSON.stringify({ id_token: `${token.join(".")}.signature` }) };
  }

  return { protocol, script };
}

import { credentialHeaders } from "../../delivery/webhooks/call-webhook.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { HttpClient, OutboundOutcome } from "../../ports/event-transport.js";
import type { ConnectorUser, PasswordConnector, SignInRecord } from "../../ports/sign-in.js";
import { SignInError } from "../../ports/sign-in.js";
import type { ConnectorFields } from "../../records/connectors/schema.js";
import { isObject, valueAt } from "../../shared/objects.js";

/** Checks passwords over HTTP at a service of the host (docs/reference/connectors.md#request-to-a-generic-connector). */
export function createHttpConnector(http: HttpClient): PasswordConnector {
  return {
    type: "Generic",
    async authenticate({ connector, loginId, password }) {
      const fields = connector as SignInRecord & ConnectorFields & { readonly sslCertificate?: string };
      const { authenticationURL: url = "", connectTimeout = 1_000, headers = {}, readTimeout = 1_000 } = fields;
      const { httpAuthenticationPassword, httpAuthenticationUsername: name, sslCertificate } = fields;
      const outcome = await http.send({
        method: "POST",
        url,
        headers: {
          ...headers,
          ...credentialHeaders({ name, password: httpAuthenticationPassword }),
          accept: "application/json",
          "content-type": "application/json; charset=utf-8",
        },
        body: toCanonicalJson({ loginId, password }),
        connectTimeoutMs: connectTimeout,
        readTimeoutMs: readTimeout,
        timeoutMs: connectTimeout + readTimeout,
        maxAnswerBytes: 1_048_576,
        tls: sslCertificate === undefined ? undefined : { trusted: sslCertificate },
      });
      return toUser(outcome);
    },
  };
}

// An ambiguous response must not count as a wrong password.
function toUser(outcome: OutboundOutcome): ConnectorUser | undefined {
  if (outcome.kind === "failed") throw new SignInError("unavailable", `there was no answer: ${outcome.reason}.`);
  if (outcome.status === 404) return undefined;
  const isAnswer = outcome.status >= 200 && outcome.status < 300 && !outcome.isCut;
  const user = isAnswer ? valueAt(parse(outcome.body), "user") : undefined;
  if (isObject(user)) return { user };
  throw new SignInError("unavailable", `the answer of status ${outcome.status} has no user.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { createHash } from "node:crypto";
import type { ApiResponse } from "latchkey/ports";
import type { InteractionHost } from "../../http/interactions.js";
import { formNonceField, isCrossSiteForm, isFormToken } from "../request/form-token.js";
import type { FormFields } from "../request/read-form.js";
import type { PageCall } from "./page-call.js";

/** The forms that a service is answering. */
const running = new WeakMap<InteractionHost, Map<string, Promise<ApiResponse>>>();

/**
 * Answers a form of a page once: runs its step, or returns the answer that the form got. A browser that sends it again, such as by a double click,
 * gets the same answer for a minute, and waits for one that is being answered. A page that is shown again has another form.
 */
export async function answerForm(call: PageCall, form: FormFields, run: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const name = nameOf(call, form);
  if (name === undefined) return run();
  const own = running.get(call.host) ?? new Map<string, Promise<ApiResponse>>();
  running.set(call.host, own);
  const answer = own.get(name) ?? answerOnce(call, name, run).finally(() => own.delete(name));
  own.set(name, answer);
  return answer;
}

// With the secret of the browser's cookie: another browser cannot ask for the answer.
function nameOf({ parts, request }: PageCall, form: FormFields): string | undefined {
  if (!form.has(formNonceField)) return undefined;
  const fields = form.names.map((name) => [name, form.all(name)]);
  const sent = JSON.stringify([parts.formToken.secret, request.path, request.query, fields]);
  return createHash("sha256").update(sent).digest("base64url");
}

async function answerOnce(call: PageCall, name: string, run: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const { host, place, request } = call;
  const stored = place.tenant && { tenantId: place.tenant.id, name };
  const find = async (): Promise<ApiResponse | undefined> => stored && host.findAnswer(request, stored);
  const known = await find();
  if (known !== undefined) return known;
  const answer = await run();
  // Another process may have answered the form meanwhile.
  if (answer.status >= 400) return (await find()) ?? answer;
  if (stored !== undefined) await host.saveAnswer(request, stored, answer);
  return answer;
}

/** Whether a form is one of this browser's, which no other site made it send. */
export function isTrustedForm(call: PageCall, form: FormFields): boolean {
  return isFormToken(call.parts.formToken, form.text("token")) && !isCrossSiteForm(call.request, call.host.publicUrl);
}

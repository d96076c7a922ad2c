import { createHash } from "node:crypto";
import type { ApiResponse } from "latchkey/ports";
import type { InteractionHost } from "../../http/interactions.js";
import { formNonceField, isCrossSiteForm, isFormToken } from "../request/form-token.js";
import type { FormFields } from "../request/read-form.js";
import type { PageCall } from "./page-call.js";

/** The forms in progress, per service. */
const running = new WeakMap<InteractionHost, Map<string, Promise<ApiResponse>>>();

/**
 * Answers each form once: runs its step, or returns the stored response. A browser that repeats a form, such as by a double
 * click, gets the same response for a minute, and waits for a form in progress. Each display of a page is a new form.
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

// Includes the secret of the browser's cookie: no other browser can get the response.
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

/** Whether a form comes from this browser, without the influence of another site. */
export function isTrustedForm(call: PageCall, form: FormFields): boolean {
  return isFormToken(call.parts.formToken, form.text("token")) && !isCrossSiteForm(call.request, call.host.publicUrl);
}

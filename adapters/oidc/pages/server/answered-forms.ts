import { createHash } from "node:crypto";
import type { ApiResponse } from "latchkey";
import { isCrossSiteForm, isFormToken, showingField } from "../request/form-token.js";
import type { FormFields } from "../request/read-form.js";
import type { PageCall } from "./page-call.js";

/**
 * Answers a form of a page once: a browser that sends it again, such as by a double click, gets the same answer for a minute, and waits for
 * one that is being answered. A page that is shown again has another form.
 */
export class AnsweredForms {
  readonly #running = new Map<string, Promise<ApiResponse>>();

  /** Returns the answer that the form of the call got, or else runs the step of its page. */
  async answer(call: PageCall, form: FormFields, run: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const name = nameOf(call, form);
    if (name === undefined) return run();
    const running = this.#running.get(name) ?? answerOnce(call, name, run);
    this.#running.set(name, running);
    try {
      return await running;
    } finally {
      this.#running.delete(name);
    }
  }
}

// The secret of the browser's cookie is part of the name: nobody else asks for the answer.
function nameOf({ parts, request }: PageCall, form: FormFields): string | undefined {
  if (!form.has(showingField)) return undefined;
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
export function isOwnForm(call: PageCall, form: FormFields): boolean {
  return isFormToken(call.parts.formToken, form.text("token")) && !isCrossSiteForm(call.request, call.host.publicUrl);
}

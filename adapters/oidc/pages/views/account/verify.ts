import type { FormErrors } from "../../html/fields.js";
import { button, noErrors, textField } from "../../html/fields.js";
import { type Html, html } from "../../html/html.js";
import type { MessageKey } from "../../messages/english.js";
import type { FormFields } from "../../request/read-form.js";
import { fieldError, toFormErrors } from "../../server/form-errors.js";
import { type Page, type PageResult, redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { loginLink } from "../login-link.js";

interface Verification {
  readonly title: MessageKey;
  /** The path that takes an id, and a code if the message has one. */
  readonly completeUrl: string;
  /** Whether the call needs no principal: the id is the proof. */
  readonly isPublic: boolean;
  /** The path that sends the message again; absent where this needs an API key. */
  readonly resendUrl?: string | undefined;
}

const verifications: Readonly<Record<"email" | "phone" | "registration", Verification>> = {
  email: {
    title: "verify-email-title",
    completeUrl: "/api/user/verify-email",
    isPublic: true,
    resendUrl: "/api/user/verify-email",
  },
  phone: { title: "verify-phone-title", completeUrl: "/api/identity/verify/complete", isPublic: false },
  registration: {
    title: "verify-registration-title",
    completeUrl: "/api/user/verify-registration",
    isPublic: true,
    resendUrl: "/api/user/verify-registration",
  },
};

/**
 * A page that verifies with the id of a message or with a code, or reports a pending message. A GET does not use up the id: mail
 * scanners follow links.
 */
export function verifyPage(kind: keyof typeof verifications): Page {
  const verification = verifications[kind];
  return {
    show: (call, errors) => showVerification(call, verification, errors),
    submit: (call, form) => (form.has("resend") ? resend(call, verification) : complete(call, verification, form)),
  };
}

function showVerification(call: PageCall, verification: Verification, errors: FormErrors = noErrors): PageResult {
  const { flow, language, parts } = call;
  const isLink = parts.id !== undefined;
  const hasCode = !isLink && flow.verificationId !== undefined;
  const intro = isLink ? "verify-intro" : hasCode ? "verify-code-intro" : "verify-link-intro";
  const codeField = { name: "oneTimeCode", label: language.text("code"), autocomplete: "one-time-code", isFocused: true };
  const code = hasCode && textField(call.fields(errors), codeField);
  const confirm = (isLink || hasCode) && button({ label: language.text("verify-button") });
  const again = !isLink && resendButton(call, verification);
  const form = (confirm || again) && call.form(html`${code}${confirm}${again}`);
  const content = html`${notice(call)}<p>${language.text(intro)}</p>${form}${loginLink(call)}`;
  return { kind: "view", title: language.text(verification.title), content, errors };
}

function notice({ flow, language }: PageCall): Html | false {
  return flow.notice === "verify-resent" && html`<p class="notice" role="status">${language.text("verify-resent")}</p>`;
}

// Resending needs an email address.
function resendButton({ flow, language }: PageCall, { resendUrl }: Verification): Html | false {
  if (resendUrl === undefined || !flow.loginId?.includes("@")) return false;
  return button({ label: language.text("verify-resend"), name: "resend", value: "yes", isSecond: true, skipsCheck: true });
}

async function complete(call: PageCall, verification: Verification, form: FormFields): Promise<PageResult> {
  const { flow, language, parts } = call;
  const verificationId = parts.id ?? flow.verificationId ?? "";
  const oneTimeCode = form.has("oneTimeCode") ? form.text("oneTimeCode").trim() : undefined;
  const { completeUrl: url, isPublic } = verification;
  const response = await call.callApi({ method: "POST", url, body: { verificationId, oneTimeCode }, isPublic });
  if (response.status === 200) {
    call.remember({ verificationId: undefined, notice: "verify-done" });
    return redirect(call.interaction === undefined ? call.link("verified") : call.link("login"));
  }
  const isWrongCode = parts.id === undefined && response.status === 404;
  const errors = isWrongCode
    ? fieldError("oneTimeCode", language.text("invalid-code"))
    : toFormErrors(language, response, { fields: ["oneTimeCode"] });
  return showVerification(call, verification, errors);
}

async function resend(call: PageCall, verification: Verification): Promise<PageResult> {
  const { application } = call.place;
  const query = new URLSearchParams({ email: call.flow.loginId ?? "" });
  if (application !== undefined) query.set("applicationId", application.id);
  const response = await call.callApi({ method: "PUT", url: `${verification.resendUrl ?? ""}?${query}`, isPublic: true });
  if (response.status !== 200) return showVerification(call, verification, toFormErrors(call.language, response, { fields: [] }));
  call.remember({ notice: "verify-resent" });
  return redirect(call.link(call.parts.page));
}

/** Confirms a verification. */
export const verifiedPage: Page = {
  show(call) {
    const { language } = call;
    const content = html`<p role="status">${language.text("verify-done")}</p>${loginLink(call)}`;
    return { kind: "view", title: language.text("verify-done-title"), content };
  },
};

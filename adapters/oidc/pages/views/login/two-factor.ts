import type { FormFields } from "../../request/read-form.js";
import type { Page, PageResult } from "../../server/page.js";
import { redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { followLogin } from "../finish-login.js";
import { invalidCode, methodReferences, resendCode, selectedMethod, showCode } from "../second-factor.js";

/** Asks for the code of a second factor. */
export const twoFactorPage: Page = {
  show: showCode,
  submit: (call, form) => (form.has("resend") ? resendCode(call) : enterCode(call, form)),
};

async function enterCode(call: PageCall, form: FormFields): Promise<PageResult> {
  const { twoFactorId } = call.flow;
  if (twoFactorId === undefined) return redirect(call.link("login"));
  const body = { code: form.text("code").trim(), twoFactorId, trustComputer: form.has("trust"), noJWT: true };
  const response = await call.callApi({ method: "POST", url: "/api/two-factor/login", body });
  if (response.status === 421) return showCode(call, invalidCode(call));
  if (response.status === 404) return expire(call);
  const method = selectedMethod(call)?.method;
  const outcome = await followLogin(call, response, {
    amr: [method === undefined ? "otp" : methodReferences[method], "mfa"],
    authenticationType: "TWO_FACTOR",
  });
  return outcome.kind === "done" ? outcome.result : showCode(call, outcome.errors);
}

/** Returns to the login: the first factor is only valid for a few minutes. */
export function expire(call: PageCall): PageResult {
  const { loginId, remember } = call.flow;
  call.forget();
  call.remember({ loginId, remember, notice: "error-expired" });
  return redirect(call.link("login"));
}

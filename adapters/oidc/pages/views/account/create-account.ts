import { readJson, textOf, toFormErrors } from "../../server/form-errors.js";
import { redirect } from "../../server/page.js";
import type { PageCall } from "../../server/page-call.js";
import { followLogin, type LoginOutcome } from "../finish-login.js";
import { pickFields } from "./pick-fields.js";
import type { RegistrationForm } from "./registration-form.js";
import type { RegistrationDraft } from "./registration-steps.js";

/** Creates the user with the registration, records consents, and logs the user in for a pending interaction. */
export async function createAccount(call: PageCall, form: RegistrationForm, held: RegistrationDraft): Promise<LoginOutcome> {
  const { verificationIds = [] } = held;
  const keys = form.steps.flatMap(({ fields }) => fields.map(({ key }) => key));
  const taken: Pick<RegistrationDraft, "consents" | "registration" | "user"> = pickFields({ ...held }, keys);
  const { registration = {}, user = {} } = taken;
  const applicationId = call.place.application?.id;
  const body = { user, registration: { ...registration, applicationId }, verificationIds };
  const response = await call.callApi({ method: "POST", url: "/api/user/registration", body });
  if (response.status !== 200) {
    const fields = ["user.email", "user.password", "user.username", "user.phoneNumber", "registration.username"];
    return { kind: "refused", errors: toFormErrors(call.language, response, { fields }) };
  }
  const created = readJson(response.body) as { readonly user: { readonly id: string } };
  await recordConsents(call, created.user.id, taken);
  return call.interaction === undefined ? { kind: "done", result: redirect(call.link("registered")) } : logIn(call, taken);
}

// A consent is `true`, or the chosen values.
async function recordConsents(call: PageCall, userId: string, { consents = {} }: RegistrationDraft): Promise<void> {
  for (const [consentId, given] of Object.entries(consents)) {
    const values = Array.isArray(given) ? given : [];
    if (given !== true && values.length === 0) continue;
    const userConsent = { consentId, giverUserId: userId, userId, status: "Active", values };
    await call.callApi({ method: "POST", url: "/api/user/consent", body: { userConsent } });
  }
}

async function logIn(call: PageCall, { registration = {}, user = {} }: RegistrationDraft): Promise<LoginOutcome> {
  const [type, loginId] = (["email", "username", "phoneNumber"] as const)
    .map((name) => [name, textOf(user, name) ?? (name === "username" ? textOf(registration, name) : undefined)] as const)
    .find(([, value]) => value !== undefined) ?? ["email", undefined];
  call.remember({ loginId, notice: undefined, amr: undefined });
  const who = { loginId, loginIdTypes: [type], password: textOf(user, "password") };
  const body = { ...who, applicationId: call.interaction?.applicationId, noJWT: true, twoFactorTrustId: call.trustId };
  const response = await call.callApi({ method: "POST", url: "/api/login", body });
  const outcome = await followLogin(call, response, { amr: ["pwd"], authenticationType: "PASSWORD" });
  // The account exists: the user can log in manually.
  return outcome.kind === "done" ? outcome : { kind: "done", result: redirect(call.link("login")) };
}

import { createHash } from "node:crypto";
import { isObject } from "../../../../internal/objects.js";
import type { FormErrors } from "../../html/fields.js";
import type { FormFields } from "../../request/read-form.js";
import { fieldError, readJson, textOf, toFormErrors } from "../../server/form-errors.js";
import type { PageCall } from "../../server/page-call.js";
import { openField, sealField } from "../../server/sealed-field.js";
import { checkConfirm } from "./change-password.js";
import { type RegistrationForm, type RegistrationStep, readSubmission } from "./registration-form.js";

type Members = Readonly<Record<string, unknown>>;

/** The input of the completed steps of a registration. */
export interface RegistrationDraft {
  readonly user?: Members | undefined;
  readonly registration?: Members | undefined;
  readonly consents?: Members | undefined;
  readonly verificationIds?: readonly string[] | undefined;
  /** The pending verification by code. */
  readonly verifying?: { readonly id: string; readonly loginId: string } | undefined;
}

/** The current step, with the input of the earlier ones. The browser returns both unchanged. */
export interface HeldStep {
  /** Counted from one. */
  readonly step: number;
  readonly held: RegistrationDraft;
}

// A registration starts again if its form changes: the steps may differ.
function purposeOf({ interaction, place }: PageCall, form: RegistrationForm): string {
  const digest = createHash("sha256").update(JSON.stringify(form)).digest("base64url");
  return `register ${interaction?.uid ?? ""} ${place.tenant?.id ?? ""} ${place.application?.id ?? ""} ${digest}`;
}

/** Encrypts a step with the input of the earlier ones. */
export function sealStep(call: PageCall, form: RegistrationForm, { held, step }: HeldStep): string {
  return sealField(call, purposeOf(call, form), { held, step });
}

/** Decrypts the step of a page for this form; undefined for an expired or changed one. */
export function openStep(call: PageCall, form: RegistrationForm, sealed: string): HeldStep | undefined {
  const values = openField(call, purposeOf(call, form), sealed);
  return values === undefined ? undefined : { step: Number(values.step), held: isObject(values.held) ? values.held : {} };
}

/** The result of a step: more values, or errors. */
export type StepResult =
  | { readonly kind: "taken"; readonly held: RegistrationDraft }
  | { readonly kind: "refused"; readonly errors: FormErrors };

/** A submitted step. */
export interface StepInput extends HeldStep {
  readonly form: RegistrationForm;
  readonly fields: FormFields;
}

/** Checks a submitted step: with the form and its lambda, or the code of a message. */
export async function checkStep(call: PageCall, filled: StepInput): Promise<StepResult> {
  const shown = filled.form.steps[filled.step - 1];
  if (shown !== undefined && shown.type !== "collectData") return completeVerification(call, filled);
  const repeated = shown?.fields.some(({ key }) => key === "user.password") && checkConfirm(call, filled.fields, "user.password");
  if (repeated) return { kind: "refused", errors: repeated };
  const submission = readSubmission(shown?.fields ?? [], filled.fields);
  return filled.form.formId === undefined ? takeBasic(filled, submission) : validateStep(call, filled, submission);
}

function takeBasic({ held }: StepInput, submission: Members): StepResult {
  const user = { email: String(submission["user.email"]).trim(), password: submission["user.password"] };
  return { kind: "taken", held: { ...held, user } };
}

async function validateStep(call: PageCall, { form, held, step }: StepInput, submission: Members): Promise<StepResult> {
  const { consents, registration, user } = held;
  const body = { applicationId: call.place.application?.id, step, submission, consents, registration, user };
  const response = await call.callApi({ method: "POST", url: `/api/form/${form.formId}/validate`, body });
  const fields = form.steps[step - 1]?.fields.flatMap(({ key }) => [key, `confirm.${key}`]) ?? [];
  if (response.status !== 200) return { kind: "refused", errors: toFormErrors(call.language, response, { fields }) };
  const taken = readJson(response.body);
  const pick = (name: string): Members => (isObject(taken[name]) ? taken[name] : {});
  return { kind: "taken", held: { ...held, user: pick("user"), registration: pick("registration"), consents: pick("consents") } };
}

/** Sends the code that proves an address or a number before the account exists. */
export async function startVerification(
  call: PageCall,
  type: Exclude<RegistrationStep["type"], "collectData">,
  held: RegistrationDraft,
): Promise<StepResult> {
  const [loginIdType, name] = type === "verifyEmail" ? (["email", "email"] as const) : (["phoneNumber", "phoneNumber"] as const);
  const loginId = textOf(held.user ?? {}, name) ?? "";
  const strategies = { existingUserStrategy: "mustNotExist", verificationStrategy: "FormField" };
  const asked = { loginId, loginIdType, applicationId: call.place.application?.id, ...strategies };
  const started = await call.callApi({ method: "POST", url: "/api/identity/verify/start", body: asked });
  const id = started.status === 200 ? textOf(readJson(started.body), "verificationId") : undefined;
  if (id === undefined) return { kind: "refused", errors: toFormErrors(call.language, started, { fields: [] }) };
  const sent = await call.callApi({ method: "POST", url: "/api/identity/verify/send", body: { verificationId: id } });
  if (sent.status !== 200) return { kind: "refused", errors: toFormErrors(call.language, sent, { fields: [] }) };
  return { kind: "taken", held: { ...held, verifying: { id, loginId } } };
}

async function completeVerification(call: PageCall, { fields, held }: StepInput): Promise<StepResult> {
  const { verificationIds = [], verifying } = held;
  const verificationId = verifying?.id ?? "";
  const body = { verificationId, oneTimeCode: fields.text("oneTimeCode").trim() };
  const response = await call.callApi({ method: "POST", url: "/api/identity/verify/complete", body });
  if (response.status === 200)
    return { kind: "taken", held: { ...held, verifying: undefined, verificationIds: [...verificationIds, verificationId] } };
  const errors =
    response.status === 404
      ? fieldError("oneTimeCode", call.language.text("invalid-code"))
      : toFormErrors(call.language, response, { fields: ["oneTimeCode"] });
  return { kind: "refused", errors };
}

import type { ApiResponse } from "latchkey/ports";
import { isObject } from "../../../internal/objects.js";
import type { LoginResult } from "../../http/interactions.js";
import type { FormErrors } from "../html/fields.js";
import type { MessageKey } from "../messages/english.js";
import { generalError, readJson, textOf, toFormErrors } from "../server/form-errors.js";
import { type PageResult, redirect } from "../server/page.js";
import type { PageCall } from "../server/page-call.js";
import { startSecondFactor } from "./second-factor.js";
import { suggestsPasskey } from "./suggest-passkey.js";

/** The next step of a page after a login call. */
export type LoginOutcome =
  | { readonly kind: "done"; readonly result: PageResult }
  | { readonly kind: "refused"; readonly errors: FormErrors };

type Answer = Readonly<Record<string, unknown>>;

/** The next step for each status of a login (docs/reference/tokens.md#login). All other statuses are refusals. */
const steps: Readonly<
  Record<number, (call: PageCall, answer: Answer, authenticationType: string | undefined) => Promise<LoginOutcome>>
> = {
  200: finish,
  202: async (call, answer, type) =>
    needsRegistration(call) ? refuse(call.language.text("not-registered")) : finish(call, answer, type),
  203: async (call, answer) => {
    call.remember({ changePasswordId: textOf(answer, "changePasswordId"), changeReason: textOf(answer, "changePasswordReason") });
    return go(call.link("change"));
  },
  212: async (call, answer) => {
    const phone = textOf(answer, "identityVerificationId");
    call.remember({ verificationId: phone ?? textOf(answer, "emailVerificationId") });
    return go(call.link(phone === undefined ? "verify-email" : "verify-phone"));
  },
  213: async (call, answer) => {
    call.remember({ verificationId: textOf(answer, "registrationVerificationId") });
    return go(call.link("verify-registration"));
  },
  232: async (call, answer) => {
    call.remember({ pendingLinkId: textOf(answer, "pendingIdPLinkId") });
    return go(call.link("link"));
  },
  242: async (call, answer) => ({ kind: "done", result: await startSecondFactor(call, answer) }),
};

const refusals: Readonly<Record<number, MessageKey>> = { 404: "invalid-login", 410: "account-expired" };

/**
 * Handles the response of the API to a login: completes the interaction, continues with a required step, or returns the errors.
 * `amr`: the authentication methods of this step (RFC 8176).
 */
export async function followLogin(
  call: PageCall,
  response: ApiResponse,
  {
    amr,
    authenticationType,
    texts = refusals,
  }: {
    readonly amr: readonly string[];
    readonly authenticationType: string | undefined;
    readonly texts?: Readonly<Record<number, MessageKey>>;
  },
): Promise<LoginOutcome> {
  const step = steps[response.status];
  if (step === undefined) return { kind: "refused", errors: describeRefusal(call, response, texts) };
  call.remember({ amr: [...new Set([...(call.flow.amr?.split(" ") ?? []), ...amr])].join(" ") });
  return step(call, { ...readJson(response.body), proof: response.headers["latchkey-proof"] }, authenticationType);
}

function describeRefusal(call: PageCall, response: ApiResponse, texts: Readonly<Record<number, MessageKey>>): FormErrors {
  if (response.status !== 409) return toFormErrors(call.language, response, { fields: ["loginId", "password", "code"], texts });
  return generalError(call.language.text("account-prevented", { reason: findReason(response) ?? "" }));
}

/** Returns the reason of an action that prevents a login; undefined for any other response. */
export function findReason({ body, status }: ApiResponse): string | undefined {
  const { actions } = status === 409 ? readJson(body) : {};
  const [action] = Array.isArray(actions) ? (actions as readonly Answer[]) : [];
  return action && (textOf(action, "localizedReason") ?? textOf(action, "localizedName") ?? textOf(action, "name"));
}

function go(to: string): LoginOutcome {
  return { kind: "done", result: redirect(to) };
}

function refuse(text: string): LoginOutcome {
  return { kind: "refused", errors: generalError(text) };
}

function needsRegistration({ place }: PageCall): boolean {
  const settings = place.application && Reflect.get(place.application, "oauthConfiguration");
  return isObject(settings) && settings.requireRegistration === true;
}

async function finish(call: PageCall, answer: Answer, authenticationType: string | undefined): Promise<LoginOutcome> {
  const { user, twoFactorTrustId } = answer as { readonly user: { readonly id: string }; readonly twoFactorTrustId?: string };
  const proof = textOf(answer, "proof");
  if (twoFactorTrustId !== undefined) call.trustDevice(twoFactorTrustId, trustSeconds(call));
  const link = await linkPending(call, user.id);
  if (link !== undefined) return link;
  if (await suggestsPasskey(call, user.id)) {
    call.remember({ userId: user.id, authenticationType, authTime: String(call.host.clock() / 1_000), proof });
    return go(call.link("new-passkey"));
  }
  return { kind: "done", result: await endLogin(call, { userId: user.id, authenticationType }) };
}

/** Completes the interaction with a login, immediate or deferred. */
export async function endLogin(
  call: PageCall,
  login: Pick<LoginResult, "authenticationType" | "authTime" | "proof" | "userId">,
): Promise<PageResult> {
  const { amr, remember } = call.flow;
  const methods = (amr ?? "").split(" ").filter((method) => method !== "");
  call.forget();
  const result = { ...login, amr: methods.length === 0 ? undefined : methods, remember: remember !== "no" };
  return { kind: "response", response: await call.host.login(call.request, result) };
}

function trustSeconds({ place }: PageCall): number {
  return place.tenant?.externalIdentifierConfiguration.twoFactorTrustIdTimeToLiveInSeconds ?? 2_592_000;
}

// A user from an identity provider who logs in to an account here links both.
async function linkPending(call: PageCall, userId: string): Promise<LoginOutcome | undefined> {
  const { pendingLinkId: pendingIdPLinkId } = call.flow;
  if (pendingIdPLinkId === undefined) return undefined;
  const body = { pendingIdPLinkId, identityProviderLink: { userId } };
  const response = await call.callApi({ method: "POST", url: "/api/identity-provider/link", body });
  call.remember({ pendingLinkId: undefined });
  if (response.status === 200) return undefined;
  return { kind: "refused", errors: toFormErrors(call.language, response, { fields: [] }) };
}

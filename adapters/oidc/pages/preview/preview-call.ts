import { IdentityError, type InProcessApi } from "latchkey";
import type { PageTheme } from "latchkey/types";
import type { InteractionHost } from "../../http/interactions.js";
import { chooseLanguage } from "../messages/locale.js";
import { openCookies } from "../request/cookies.js";
import { createFormToken } from "../request/form-token.js";
import { FormFields } from "../request/read-form.js";
import { PageCall } from "../server/page-call.js";

/** The settings of a preview. */
export interface PreviewSettings {
  readonly api: InProcessApi;
  readonly theme: PageTheme;
  /** The language, such as `de`. */
  readonly locale: string;
}

/** A call without a real request: its links lead nowhere, and it refuses all operations. */
export class PreviewCall extends PageCall {
  override link(): string {
    return "#";
  }
}

const request = { method: "GET", path: "/", query: "", headers: {} } as const;

/** The factors of the preview's fictitious user. */
const methods = JSON.stringify([
  { id: "sms", method: "sms", to: "*****34" },
  { id: "authenticator", method: "authenticator" },
]);

// A preview accepts no form, so its tokens need not be secret.
const zeros = (length: number): Uint8Array => new Uint8Array(length);

/** A call for a page of the first tenant, with a login that waits for its second factor. */
export async function openPreview({ api, locale, theme }: PreviewSettings): Promise<PreviewCall> {
  const { tenants } = await api.tenants.search({ search: { numberOfResults: 1 } });
  return new PreviewCall({
    request,
    host: { ...refusals, basePath: "", publicUrl: "", secrets: ["a preview"], clock: () => 0, random: zeros, api },
    page: "login",
    id: undefined,
    query: new URLSearchParams(),
    interaction: undefined,
    place: { tenant: tenants[0] },
    theme,
    language: chooseLanguage([locale], theme.messages),
    cookies: openCookies(request, false),
    formToken: createFormToken(zeros, undefined),
    flow: { twoFactorId: "preview", methods, methodId: "sms" },
    form: new FormFields([]),
  });
}

const refuse = async (): Promise<never> => {
  throw new IdentityError(404, { generalErrors: [{ code: "[notFound]", message: "A preview can only be looked at." }] });
};

const refusals: Omit<InteractionHost, "api" | "basePath" | "clock" | "publicUrl" | "random" | "secrets"> = {
  abort: refuse,
  call: refuse,
  consent: refuse,
  find: refuse,
  findAnswer: refuse,
  findEnded: refuse,
  login: refuse,
  readForm: refuse,
  saveAnswer: refuse,
  select: refuse,
};

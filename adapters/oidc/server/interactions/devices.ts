import { createHash } from "node:crypto";
import type { ApiResponse } from "latchkey/ports";
import type { KoaContextWithOIDC } from "oidc-provider";
import type { ProviderPage } from "../../http/interactions.js";
import { type FoundRoute, routes } from "../../http/routes.js";
import { currentExchange, type Exchange } from "../exchange/exchange.js";
import { pollSeconds } from "../grants/device-polls.js";
import { addFormAnswer, findFormAnswer } from "./form-answers.js";
import { formOf } from "./library-form.js";

interface Pages {
  readonly show: (ctx: KoaContextWithOIDC, page: ProviderPage) => Promise<void>;
}

/** Shows the device code form, or a page with the reason why it is not available. */
export async function showDeviceCode(ctx: KoaContextWithOIDC, pages: Pages, error?: Error): Promise<void> {
  const { params } = currentExchange();
  if (!hasBegun(ctx)) return beginAgain(ctx, pages);
  const form = formOf(ctx, "code_verification");
  if (error === undefined) return pages.show(ctx, { kind: "deviceCode", form, userCode: params.get("user_code") ?? undefined });
  // A second click, or a page from the browser's history.
  const device = await findDevice();
  const { accountId } = ctx.oidc.session ?? {};
  if (accountId !== undefined && device?.accountId === accountId) return pages.show(ctx, { kind: "deviceDone" });
  const isAborted = params.has("abort") && device?.error === "access_denied";
  return pages.show(ctx, { kind: "deviceCode", form, error: isAborted ? "aborted" : codeErrorOf(error) });
}

// Without the session of its page, the form cannot be shown again: the library fails to save the session.
function hasBegun(ctx: KoaContextWithOIDC): boolean {
  return ctx.method !== "POST" || ctx.oidc.session?.exp !== undefined;
}

async function beginAgain(ctx: KoaContextWithOIDC, pages: Pages): Promise<void> {
  const { params, request } = currentExchange();
  if (ctx.oidc.session !== undefined) Object.assign(ctx.oidc.session, { touched: false });
  // Each page sets a cookie, and this is a page's form.
  if (params.has("xsrf") && String(request.headers.cookie ?? "") === "") return pages.show(ctx, { kind: "cookiesMissing" });
  ctx.status = 303;
  ctx.redirect(ctx.oidc.urlFor("code_verification"));
}

function findDevice(): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { params, unit } = currentExchange();
  return unit.findByAlias("DeviceCode", (params.get("user_code") ?? "").toUpperCase().replace(/\W/g, ""));
}

const codeErrors = {
  NoCodeError: "missing",
  NotFoundError: "unknown",
  ExpiredError: "expired",
  AlreadyUsedError: "used",
  AbortedError: "aborted",
} as const;

function codeErrorOf({ name }: Error): (typeof codeErrors)[keyof typeof codeErrors] {
  return Object.entries(codeErrors).find(([known]) => known === name)?.[1] ?? "unknown";
}

/** Returns the stored login of a repeated device confirmation; undefined for any other request. */
export async function findDeviceLogin(exchange: Exchange, name: string | undefined): Promise<ApiResponse | undefined> {
  return name === undefined ? undefined : findFormAnswer(exchange.unit, name, exchange.core.clock());
}

/** Stores the login of a device confirmation. */
export function saveDeviceLogin(exchange: Exchange, name: string | undefined, answer: ApiResponse): void {
  const isLogin = answer.status === 303 && String(answer.headers.location).includes("/oauth2/interaction/");
  if (name !== undefined && isLogin) addFormAnswer(exchange.unit, name, { answer, now: exchange.core.clock() });
}

/** Returns the name of a device confirmation, from secrets of the browser: its cookie and a field; undefined for any other request. */
export function findDeviceFormId({ params, request }: Exchange, { path }: FoundRoute, sessionName: string): string | undefined {
  if (path !== routes.code_verification || request.method !== "POST" || !params.has("confirm")) return undefined;
  const cookies = String(request.headers.cookie ?? "").split(/;\s*/);
  const session = cookies.filter((cookie) => cookie.startsWith(`${sessionName}=`) || cookie.startsWith(`${sessionName}.sig=`));
  if (session.length === 0 || !params.has("xsrf")) return undefined;
  const sent = JSON.stringify([session.toSorted(), params.get("xsrf"), params.get("user_code")]);
  return createHash("sha256").update(sent).digest("base64url");
}

/** Adds the polling interval and the application's own verification page to a device response. */
export function describeDevice({ name }: FoundRoute, { client }: Pick<Exchange, "client">, response: ApiResponse): ApiResponse {
  if (name !== "device_authorization" || response.status !== 200) return response;
  const answer: { readonly user_code: string } = JSON.parse(response.body);
  return { ...response, body: JSON.stringify({ ...answer, ...pageOf(client, answer.user_code), interval: pollSeconds }) };
}

function pageOf(client: Exchange["client"], userCode: string): object {
  const page = client?.settings.deviceVerificationURL;
  if (!page) return {};
  const complete = new URL(page);
  complete.searchParams.set("user_code", userCode);
  return { verification_uri: page, verification_uri_complete: complete.href };
}

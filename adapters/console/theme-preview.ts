import { IdentityError } from "latchkey";
import type { ApiRequest, ApiResponse } from "latchkey/ports";
import type { Theme } from "latchkey/types";
import { lazily } from "../internal/async.js";
import { isObject } from "../internal/objects.js";
import type { PreviewName, PreviewRequest } from "../oidc/pages/preview/preview-page.js";
import { createError, readObject, toJsonRequest, toResponse } from "./sign-in/requests.js";
import { type ConsolePerson, toCookie } from "./sign-in/session.js";
import type { SessionContext } from "./sign-in/sign-in.js";

// Loaded lazily: most hosts do not use the pages.
const loadPreview = lazily(() => import("../oidc/pages/preview/preview-page.js"));

/**
 * Renders a sign-in page with a theme that is not stored, for a person who may store it. Reads no users and stores nothing.
 * @throws IdentityError 400, 401, 413.
 */
export async function previewTheme(context: SessionContext, request: ApiRequest): Promise<ApiResponse> {
  const person = await context.findPerson(request);
  if (person === undefined) throw createError(401, "[unauthorized]", "Sign in.");
  const cookie = person.renewed && { "set-cookie": toCookie(request, context.mount, person.renewed) };
  const { theme, ...settings } = await readObject(context.identity, request);
  const checked = await checkTheme(context, toJsonRequest(request, "/api/theme", { theme: named(context, theme) }), person);
  if (checked.kind === "refused") return toResponse(checked.status, checked.body, cookie);
  const { previewNames, previewPage } = await loadPreview();
  const chosen = parseSettings(settings, previewNames);
  const preview = await previewPage({ ...chosen, api: context.identity, theme: checked.theme });
  return toResponse(200, { preview }, cookie);
}

type CheckedTheme =
  | { readonly kind: "accepted"; readonly theme: Theme }
  | { readonly kind: "refused"; readonly status: number; readonly body: object };

// A random name avoids duplicates: pages do not show it.
function named({ identity }: SessionContext, theme: unknown): unknown {
  return isObject(theme) ? { ...theme, name: Buffer.from(identity.random(16)).toString("hex") } : theme;
}

// A dry run of the service checks the permission and the theme.
async function checkTheme({ identity }: SessionContext, call: ApiRequest, { principal }: ConsolePerson): Promise<CheckedTheme> {
  const response = await identity.handle({ ...call, query: "dryRun=true" }, principal);
  const { body = "", status = 404 } = response ?? {};
  // The browser application takes 401 as the end of the session.
  if (status === 401) throw createError(403, "[forbidden]", "Your role does not allow this.");
  const answer = JSON.parse(body === "" ? "{}" : body);
  return status === 200 ? { kind: "accepted", theme: answer.theme } : { kind: "refused", status, body: answer };
}

function parseSettings(
  { locale, colorScheme, page }: Readonly<Record<string, unknown>>,
  names: readonly PreviewName[],
): Pick<PreviewRequest, "locale" | "colorScheme" | "page"> {
  const found = names.find((name) => name === page);
  if (found === undefined) throw refuse("page", `one of ${names.join(", ")}`);
  if (colorScheme !== "dark" && colorScheme !== "light") throw refuse("colorScheme", "dark or light");
  if (typeof locale !== "string" || locale.length > 35) throw refuse("locale", "a language such as de");
  return { locale, colorScheme, page: found };
}

function refuse(member: string, rule: string): IdentityError {
  const entry = { code: `[invalid]${member}`, message: `The [${member}] property must be ${rule}.` };
  return new IdentityError(400, { fieldErrors: { [member]: [entry] } });
}

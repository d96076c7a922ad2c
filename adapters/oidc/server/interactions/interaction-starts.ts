import type { ApiRequest, ApiResponse } from "latchkey/ports";
import { findStartUrl, isRegistered, isSiteOf } from "../../http/urls.js";
import { openCookies } from "../../pages/request/cookies.js";
import { openValues, type Sealer, sealValues } from "../../pages/request/sealed-values.js";
import type { Exchange } from "../exchange/exchange.js";
import { addCookies } from "./pending-login.js";

/** The application of an interaction, with a link for the time after its end. */
interface StartedInteraction {
  readonly applicationId: string;
  readonly startUrl: string | undefined;
}

/** The dependencies for finding the application of an interaction. */
export interface Starts {
  readonly core: Exchange["core"];
  readonly publicUrl: URL;
  readonly sealer: Sealer;
}

/** How long a browser remembers an interaction, in seconds: a page left open overnight still needs its link. */
const keptSeconds = 86_400;

const cookie = "latchkey_started";
const purposeOf = (uid: string): string => `started ${uid}`;
const isSecure = ({ protocol }: URL): boolean => protocol === "https:";

/** Adds a sealed cookie for the path of an interaction, with its application. */
export function rememberStart(
  { client, params, request }: Exchange,
  response: ApiResponse,
  { publicUrl, sealer }: Omit<Starts, "core">,
): ApiResponse {
  const [, path, uid] =
    /^(?:https?:\/\/[^/]+)?(.*\/oauth2\/interaction\/([\w-]+))$/.exec(String(response.headers.location ?? "")) ?? [];
  if (uid === undefined || client === undefined || response.status !== 303) return response;
  const { authorizedRedirectURLs: known, authorizedURLValidationPolicy: policy } = client.settings;
  const asked = params.get("redirect_uri") ?? "";
  const startUrl = findStartUrl([...(isRegistered(known, policy, asked) ? [asked] : []), ...known]);
  const value = sealValues(sealer, purposeOf(uid), { applicationId: client.id, startUrl }, keptSeconds * 1_000);
  return addCookies(response, [openCookies(request, isSecure(publicUrl)).write(cookie, value, { path, maxAge: keptSeconds })]);
}

/**
 * Returns the application of an interaction from the browser's cookie; undefined for another browser, after a day, and for a
 * removed application. Omits a start URL that the application no longer has.
 */
export async function findStart(
  request: ApiRequest,
  { core, publicUrl, sealer }: Starts,
): Promise<StartedInteraction | undefined> {
  const [, uid = ""] = /^\/oauth2\/interaction\/([\w-]+)/.exec(request.path) ?? [];
  const values = openValues(sealer, purposeOf(uid), openCookies(request, isSecure(publicUrl)).read(cookie) ?? "");
  if (typeof values?.applicationId !== "string") return undefined;
  const { applicationId, startUrl } = values;
  const settings = (await core.findClient(applicationId))?.settings;
  if (settings === undefined) return undefined;
  const { authorizedRedirectURLs: known, authorizedURLValidationPolicy: policy } = settings;
  return { applicationId, startUrl: typeof startUrl === "string" && isSiteOf(known, policy, startUrl) ? startUrl : undefined };
}

import { IdentityError } from "latchkey";
import type { ApiResponse, ProtocolHandler, ProtocolHost } from "latchkey/ports";
import { finishLogin } from "./identity-provider/finish-login.js";
import { showIdentityProvider } from "./identity-provider/show-metadata.js";
import { signInCallbackPath } from "./identity-provider/sign-user-in.js";
import { startInitiatedLogin, startLogin } from "./identity-provider/start-login.js";
import { errorPage, redirect } from "./server/responses.js";
import { SamlApplications } from "./server/saml-applications.js";
import type { SamlCall } from "./server/saml-call.js";
import { showServiceProvider } from "./service-provider/show-metadata.js";
import { callbackPath, consumerPath } from "./service-provider/urls.js";
import { XmlError } from "./xml/xml-error.js";

/** A path, optionally followed by an id, and its handler. */
interface SamlRoute {
  readonly path: string;
  readonly hasId: boolean;
  readonly methods: readonly string[];
  readonly answer: (call: SamlCall) => Promise<ApiResponse>;
}

const routes: readonly SamlRoute[] = [
  { path: consumerPath, hasId: false, methods: ["POST"], answer: passOn },
  { path: "/samlv2/sp/metadata", hasId: true, methods: ["GET"], answer: showServiceProvider },
  { path: "/samlv2/metadata", hasId: true, methods: ["GET"], answer: showIdentityProvider },
  { path: "/samlv2/login", hasId: true, methods: ["GET", "POST"], answer: startLogin },
  { path: "/samlv2/initiate", hasId: true, methods: ["GET"], answer: startInitiatedLogin },
  { path: signInCallbackPath, hasId: true, methods: ["GET"], answer: finishLogin },
];

// The browser posts the response to the login pages, which know the login that it belongs to.
async function passOn({ publicUrl }: SamlCall): Promise<ApiResponse> {
  return redirect(307, publicUrl + callbackPath);
}

/** Returns the handler of the paths below `/samlv2`. */
export async function createSamlServer(host: ProtocolHost): Promise<ProtocolHandler> {
  const applications = new SamlApplications(host, await host.openId());
  return async (request) => {
    const match = matchRoute(request.path);
    if (match === undefined) return undefined;
    const { route, id } = match;
    const { publicUrl } = host;
    if (publicUrl === undefined) throw new Error("latchkey/saml needs the option publicUrl of the service.");
    if (!route.methods.includes(request.method)) return { status: 405, headers: { allow: route.methods.join(", ") }, body: "" };
    return answer({ host, applications, request, publicUrl, id }, route);
  };
}

const idShape = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function matchRoute(path: string): { readonly route: SamlRoute; readonly id: string } | undefined {
  const exact = routes.find((one) => !one.hasId && one.path === path);
  if (exact !== undefined) return { route: exact, id: "" };
  const end = path.lastIndexOf("/");
  const id = path.slice(end + 1).toLowerCase();
  const route = routes.find((one) => one.hasId && one.path === path.slice(0, end));
  return route !== undefined && idShape.test(id) ? { route, id } : undefined;
}

// The page only names the side at fault: the log and the event log have the reason.
async function answer(call: SamlCall, route: SamlRoute): Promise<ApiResponse> {
  try {
    return await route.answer(call);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { method, requestId } = call.request;
    const path = route.hasId ? `${route.path}/:id` : route.path;
    call.host.logger.warn({ err: error, method, path, requestId }, "SAML request refused");
    return errorPage(400, "The request for this login is not valid.");
  }
}

function isRefusal(error: unknown): boolean {
  // Rethrow for an unread body: the service then closes the connection too.
  const isUnread = error instanceof IdentityError && (error.status === 408 || error.status === 413);
  return !isUnread && (error instanceof XmlError || (error instanceof IdentityError && error.status < 500));
}

import { type ClientError, createClient, type Failure, type IdentityClient } from "latchkey/client";
import { config } from "./config.js";
import { ask, callSession } from "./session.js";
import { tenantId } from "./tenant.js";
import { tenantPaths } from "./tenant-paths.js";

export type { ClientCallOptions, Failure, ItemOf, Result, Success } from "latchkey/client";
export { unwrap } from "latchkey/client";

/** The headers of every call of the console. */
const ownHeaders = { "x-console": "1" };

/**
 * Sends a request to the public API as the signed-in person. On an expired session or a required confirmation, opens a dialog
 * over the page and repeats the call after it.
 */
export async function send(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await sendOnce(url, init);
  if (response.status === 401 && (await hasSessionEnded()) && (await ask("signIn"))) return sendOnce(url, init);
  if (response.status === 403 && (await needsConfirmation(response)) && (await ask("confirm"))) return sendOnce(url, init);
  return response;
}

function sendOnce(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(ownHeaders)) headers.set(name, value);
  const path = new URL(url, location.href).pathname.slice(config.base.length - 1);
  if (tenantId.value !== undefined && tenantPaths.test(path) && !headers.has(config.tenantHeader))
    headers.set(config.tenantHeader, tenantId.value);
  return fetch(url, { ...init, headers, credentials: "same-origin" });
}

async function hasSessionEnded(): Promise<boolean> {
  return (await callSession("GET", "")).status === 401;
}

async function needsConfirmation(response: Response): Promise<boolean> {
  return (await response.clone().text()).includes("[confirmation_required]");
}

/** The URL of a path of the public API. Use it with `send` for streams and files, which the typed client does not support. */
export function apiUrl(path: string): string {
  return config.base.replace(/\/$/, "") + path;
}

/** The typed client of the public API. It calls as the signed-in person. */
export const api: IdentityClient = createClient({
  baseUrl: new URL(config.base, location.href).href,
  fetch: (input, init) => send(String(input), init),
  tenantHeader: config.tenantHeader,
  retry: { attempts: 2, newKeyMs: 0 },
});

/** The error messages of a failed call, in one text for the person. */
export function sayFailure(failure: Failure): string {
  const entries = [...failure.errors.generalErrors, ...Object.values(failure.errors.fieldErrors).flat()];
  return entries.map((entry) => entry.message).join(" ");
}

/** The message of a thrown value: the errors of a `ClientError`, else its own message. */
export function sayError(error: unknown): string {
  return isClientError(error) ? sayFailure(error.failure) : String(error instanceof Error ? error.message : error);
}

function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && error.name === "ClientError";
}

import { signal } from "@preact/signals";
import { removeDrafts } from "../kit/drafts.js";
import { config } from "./config.js";

/** The signed-in person and the calls that this person may make. */
export interface Session {
  readonly user: { readonly id: string; readonly email?: string; readonly username?: string; readonly fullName?: string };
  readonly role: "read-only" | "support" | "full";
  /** Methods by path, or `all` for every call. */
  readonly permissions: "all" | Readonly<Record<string, readonly string[]>>;
  readonly needsConfirmation: boolean;
  readonly expirationInstant: number;
}

/** The second factor that a sign-in requires. */
export interface SecondFactor {
  readonly twoFactorId: string;
  readonly methods: readonly { readonly id: string; readonly method: string; readonly name?: string }[];
}

/** A response of a session endpoint. */
export interface SessionAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The session; null while signed out, undefined before the first response. */
export const session = signal<Session | null | undefined>(undefined);

/** Whether the service has no administrator yet. */
export const needsSetUp = signal(false);

/** The open dialog that calls wait for: a sign-in over the page, or a confirmation with the password. */
export const waiting = signal<"signIn" | "confirm" | undefined>(undefined);

let resolveWaiting: ((isDone: boolean) => void) | undefined;
let asked: Promise<boolean> | undefined;

/** Loads the session from the server, and whether the service needs its first administrator. */
export async function readSession(): Promise<void> {
  const { body, status } = await callSession("GET", "");
  if (status === 200) session.value = body as Session;
  else {
    session.value = null;
    needsSetUp.value = typeof body === "object" && body !== null && "setUp" in body;
  }
}

/** Calls a session endpoint. */
export async function callSession(method: string, path: string, content?: object): Promise<SessionAnswer> {
  const response = await fetch(`${config.base}session${path}`, {
    method,
    credentials: "same-origin",
    headers: { "x-console": "1", ...(content && { "content-type": "application/json" }) },
    ...(content && { body: JSON.stringify(content) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ends the session and removes all drafts of the browser tab. */
export async function signOut(): Promise<void> {
  await callSession("DELETE", "");
  removeDrafts();
  session.value = null;
}

/** Opens a dialog to sign in or to confirm. Resolves to false if the person closes it or signs in as another user. */
export function ask(what: "signIn" | "confirm"): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    waiting.value = what;
    resolveWaiting = resolve;
  });
  return asked;
}

/** Closes the dialog that `ask` opened and resolves its promise. */
export function endWaiting(isDone: boolean): void {
  waiting.value = undefined;
  asked = undefined;
  resolveWaiting?.(isDone);
}

/** Whether the permissions of the session allow a call. */
export function may(method: string, path: string): boolean {
  const permissions = session.value?.permissions;
  if (permissions === undefined) return false;
  if (permissions === "all") return true;
  return permissions[path]?.includes(method) ?? false;
}

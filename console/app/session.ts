import { signal } from "@preact/signals";
import { removeDrafts } from "../kit/drafts.js";
import { config } from "./config.js";

/** Who is signed in, and what this person may call. */
export interface Session {
  readonly user: { readonly id: string; readonly email?: string; readonly username?: string; readonly fullName?: string };
  readonly role: "read-only" | "support" | "full";
  /** Methods by path, or everything. */
  readonly permissions: "all" | Readonly<Record<string, readonly string[]>>;
  readonly needsConfirmation: boolean;
  readonly expirationInstant: number;
}

/** A second factor that a sign-in waits for. */
export interface SecondFactor {
  readonly twoFactorId: string;
  readonly methods: readonly { readonly id: string; readonly method: string; readonly name?: string }[];
}

/** What an answer of the session's endpoints is. */
export interface SessionAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The session; null while nobody is signed in, undefined before it is known. */
export const session = signal<Session | null | undefined>(undefined);

/** Whether no administrator exists yet. */
export const needsSetUp = signal(false);

/** What waits for the person: a sign-in over the page, or the password once more. */
export const waiting = signal<"signIn" | "confirm" | undefined>(undefined);

let resolveWaiting: ((isDone: boolean) => void) | undefined;
let asked: Promise<boolean> | undefined;

/** Reads the session of the page. */
export async function readSession(): Promise<void> {
  const { body, status } = await callSession("GET", "");
  if (status === 200) session.value = body as Session;
  else {
    session.value = null;
    needsSetUp.value = typeof body === "object" && body !== null && "setUp" in body;
  }
}

/** Calls an endpoint of the session. */
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

/** Ends the session. */
export async function signOut(): Promise<void> {
  await callSession("DELETE", "");
  removeDrafts();
  session.value = null;
}

/** Asks the person to sign in or to confirm, over the page; false when the dialog was closed. */
export function ask(what: "signIn" | "confirm"): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    waiting.value = what;
    resolveWaiting = resolve;
  });
  return asked;
}

/** Ends what `ask` began. */
export function endWaiting(isDone: boolean): void {
  waiting.value = undefined;
  asked = undefined;
  resolveWaiting?.(isDone);
}

/** Whether the person may make a call, as far as the session says. */
export function may(method: string, path: string): boolean {
  const permissions = session.value?.permissions;
  if (permissions === undefined) return false;
  if (permissions === "all") return true;
  return permissions[path]?.includes(method) ?? false;
}

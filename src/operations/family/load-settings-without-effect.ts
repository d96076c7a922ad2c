import { type Lazy, lazily } from "../../shared/async.js";

/** The wrappers of records that have settings without effect, whose list is loaded with the first of them. */
export const wrappersWithoutEffect: ReadonlySet<string> = new Set(["application", "consent", "entityType", "tenant", "theme"]);

/** Loads the list of these settings. */
export const loadSettings: Lazy<typeof import("./settings-without-effect.js")> = lazily(
  () => import("./settings-without-effect.js"),
);

/** A parsed request with the settings of its record that have no effect, as in the body. */
export async function withSettingsOf<Request>(wrapper: string, request: Request, body: unknown): Promise<Request> {
  return wrappersWithoutEffect.has(wrapper) ? (await loadSettings()).withSettingsOf(wrapper, request, body) : request;
}

/** Whether a record has a setting that would change something if it had an effect. */
export async function hasSettingWithoutEffect(wrapper: string, record: unknown): Promise<boolean> {
  return wrappersWithoutEffect.has(wrapper) && (await loadSettings()).setWithoutEffect(wrapper, record).length > 0;
}

/**
 * Returns the reason that a member of a body has no effect, by its dotted path from the wrapper; undefined for every other
 * member.
 */
export async function loadReasons(): Promise<(path: string) => string | undefined> {
  const { reasonWithoutEffect, refusalOf } = await loadSettings();
  return (path) => {
    const reason = reasonWithoutEffect(path);
    return reason === undefined ? undefined : refusalOf(path, reason);
  };
}

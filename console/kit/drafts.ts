const prefix = "draft:";

/** Reads the unsaved changes of a form. They survive an expired session and a reload of the page. */
export function readDraft<Value>(name: string): Value | undefined {
  const text = sessionStorage.getItem(prefix + name);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores a draft without its secrets; undefined removes it. If the storage is full, the draft is lost and no error is thrown. */
export function writeDraft(name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, JSON.stringify(value, withoutSecret));
  } catch {
    return;
  }
}

/** Maps in which every text may be a secret. */
const secretMaps: ReadonlySet<string> = new Set(["headers", "secrets"]);

const secretText = /(?:password|secret|token|apiKey|privateKey)$/i;

// Browser storage is no safe place for secrets, so a reload loses them.
function withoutSecret(name: string, value: unknown): unknown {
  return secretMaps.has(name) || (typeof value === "string" && secretText.test(name)) ? undefined : value;
}

/** Removes all drafts, so that the next person at this browser cannot see them. */
export function removeDrafts(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
}

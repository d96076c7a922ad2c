const prefix = "draft:";

/** What a person has written and not saved: it survives a lost session and a reload of the page. */
export function readDraft<Value>(name: string): Value | undefined {
  const text = sessionStorage.getItem(prefix + name);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a draft without its secrets; undefined removes it. A full storage loses drafts and nothing else. */
export function writeDraft(name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, JSON.stringify(value, withoutSecret));
  } catch {
    return;
  }
}

/** Members whose every text may be a secret. */
const secretMaps: ReadonlySet<string> = new Set(["headers", "secrets"]);

const secretText = /(?:password|secret|token|apiKey|privateKey)$/i;

// What a browser keeps is no place for secrets: a reload loses them.
function withoutSecret(name: string, value: unknown): unknown {
  return secretMaps.has(name) || (typeof value === "string" && secretText.test(name)) ? undefined : value;
}

/** Removes all drafts: the next person at this browser has none of them. */
export function removeDrafts(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
}

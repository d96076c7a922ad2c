import { generalError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { isObject } from "../../shared/objects.js";
import type { ConfigChange, ConfigDocument, ConfigPlan } from "./document.js";

/** Whether a value is a plan, not a document. */
export function isPlan(given: ConfigPlan | ConfigDocument): given is ConfigPlan {
  return isObject(given) && "document" in given && "changes" in given && Array.isArray(given.changes);
}

/**
 * Protects changes that the author of a plan has not seen.
 * @throws IdentityError 412 when the changes differ from the planned ones.
 */
export function assertUnchangedPlan(plan: ConfigPlan, changes: readonly ConfigChange[]): void {
  const texts = (all: readonly ConfigChange[]): ReadonlyMap<string, string> =>
    new Map(all.map((change) => [toCanonicalJson(change), `${change.family} ${change.key}`]));
  const [before, now] = [texts(plan.changes), texts(changes)];
  const others = [...before, ...now].filter(([text]) => before.has(text) !== now.has(text)).map(([, name]) => name);
  if (others.length === 0) return;
  const names = [...new Set(others)].slice(0, 10).join(", ");
  throw generalError("preconditionFailed", `The plan no longer fits, since something changed since it was made: ${names}.`);
}

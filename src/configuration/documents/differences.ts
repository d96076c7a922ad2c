import { toCanonicalJson } from "../../json/canonical-json.js";
import { isObject } from "../../shared/objects.js";
import { formatPath } from "../../shared/text.js";
import type { ConfigDifference } from "./document.js";
import type { Members } from "./members.js";

/** What differs between a record before and after, member by member. Lists appear whole; a secret only as present. */
export function findDifferences(before: Members, after: Members, secrets: readonly string[]): readonly ConfigDifference[] {
  const compare = (path: readonly string[], left: unknown, right: unknown): readonly ConfigDifference[] => {
    if (isObject(left) && isObject(right)) return compareMembers(path, left, right);
    if (toCanonicalJson([left]) === toCanonicalJson([right])) return [];
    const dotted = path.join(".");
    const isSecret = secrets.some((secret) => dotted === secret || dotted.startsWith(`${secret}.`));
    const told = (value: unknown): unknown => (isSecret ? "(secret)" : value);
    return [
      {
        path: formatPath(path),
        ...(left !== undefined && { before: told(left) }),
        ...(right !== undefined && { after: told(right) }),
        ...(isSecret && { isSecret: true }),
      },
    ];
  };
  const compareMembers = (path: readonly string[], left: Members, right: Members): readonly ConfigDifference[] =>
    [...new Set([...Object.keys(left), ...Object.keys(right)])]
      .sort()
      .flatMap((name) => compare([...path, name], memberOf(left, name), memberOf(right, name)));
  return compareMembers([], before, after);
}

function memberOf(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

import { toCanonicalJson } from "../../json/canonical-json.js";
import type { StoredRecord } from "../../ports/storage.js";
import { isObject, pathsAt, splitMember } from "../../shared/objects.js";
import { formatPath } from "../../shared/text.js";
import type { ConfigFamily } from "./config-families.js";
import type { ConfigRun } from "./config-run.js";
import type { ConfigDifference, Members } from "./document.js";
import { openStored, toFlat, withoutDefaults } from "./record-form.js";

/** The differences of a record, member by member. Lists appear whole; a secret only as present. */
export function findDifferences(before: Members, after: Members, patterns: readonly string[]): readonly ConfigDifference[] {
  const secrets = patterns.flatMap((pattern) => [...pathsAt(before, pattern), ...pathsAt(after, pattern)]);
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

function withoutOwn(flat: Members, { own = [] }: ConfigFamily): Members {
  return own.reduce((left, path) => splitMember(left, path.split("."))[0], flat);
}

/** A record in the form of a document: keys in place of ids, no defaults, open secrets. */
export async function describeStored(
  { call, known }: Pick<ConfigRun, "call" | "known">,
  row: ConfigFamily,
  stored: StoredRecord,
): Promise<Members> {
  const flat =
    row.describe?.(openStored(call, row, stored)) ??
    (await withoutDefaults(call, row, withoutOwn(await toFlat(call, row, stored), row)));
  const { documentForm } = await row.load();
  const record: Members = JSON.parse(toCanonicalJson(flat));
  return known.toKeys(row, documentForm === undefined ? record : await documentForm.write(call, record));
}

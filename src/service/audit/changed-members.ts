import { toCanonicalJson } from "../../json/canonical-json.js";
import type { AuditedMember } from "../../records/audit-logs/schema.js";
import { isObject, memberOf } from "../../shared/objects.js";

/** Members that change with every write. */
const ignored: ReadonlySet<string> = new Set(["/lastUpdateInstant"]);

/** Returns the members that differ between two states of a record, sorted by name. Lists are compared as a whole. */
export function changedMembers(oldValue: unknown, newValue: unknown, path: string = ""): readonly AuditedMember[] {
  if (ignored.has(path)) return [];
  if (isObject(oldValue) && isObject(newValue)) {
    const names = new Set([...Object.keys(oldValue), ...Object.keys(newValue)]);
    return [...names]
      .sort()
      .flatMap((name) => changedMembers(memberOf(oldValue, name), memberOf(newValue, name), step(path, name)));
  }
  return isSame(oldValue, newValue) ? [] : [toMember(path, oldValue, newValue)];
}

// Appends a JSON Pointer segment (RFC 6901).
function step(path: string, name: string): string {
  return `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function isSame(oldValue: unknown, newValue: unknown): boolean {
  if (oldValue === undefined || newValue === undefined) return oldValue === newValue;
  return toCanonicalJson(oldValue) === toCanonicalJson(newValue);
}

function toMember(path: string, oldValue: unknown, newValue: unknown): AuditedMember {
  return { path, ...(oldValue !== undefined && { oldValue }), ...(newValue !== undefined && { newValue }) };
}

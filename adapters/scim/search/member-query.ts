import { mappedUserAttributes } from "../mapping/user-fields.js";
import { enterpriseSchemaId } from "../schema/schemas.js";
import type { AttributePath } from "../schema/types.js";
import type { QueryDocument } from "./compiled-filter.js";
import { isSearchable } from "./text-test.js";

/**
 * Returns the path below `data` of an attribute that is stored unchanged, such as `scim.title` and `scim.enterprise.department`;
 * undefined for attributes that are stored otherwise, not texts, or multi-valued.
 */
export function toMemberPath({ attribute, extension, sub }: AttributePath): string | undefined {
  const { type } = sub ?? attribute;
  if (attribute.multiValued || (type !== "string" && type !== "reference")) return undefined;
  const name = sub === undefined ? attribute.name : `${attribute.name}.${sub.name}`;
  if (extension !== undefined) return extension === enterpriseSchemaId ? `scim.enterprise.${name}` : undefined;
  const isVerbatim = /^name\.honorific/.test(name) || (!mappedUserAttributes.has(attribute.name) && !isAssigned(attribute.name));
  return isVerbatim ? `scim.${name}` : undefined;
}

// Assigned by the service.
function isAssigned(name: string): boolean {
  return name === "id" || name === "meta" || name === "schemas";
}

// Searches do not find longer members of `data`, in characters.
const maxMemberLength = 100;

/** Whether a search finds members of `data` that equal a text. */
export function isSearchableMember(value: string): boolean {
  return isSearchable(value) && Array.from(value).length <= maxMemberLength;
}

/**
 * Returns a query that finds all users with a member of `data` equal to a text, and perhaps others; undefined without one.
 * Searches of such members fold the case of ASCII letters only.
 */
export function toMemberQuery(field: string, value: string, caseExact: boolean): QueryDocument | undefined {
  if (!isSearchableMember(value)) return undefined;
  if (caseExact) return { term: { [field]: value } };
  const start = foldableStart(value);
  if (start === value) return { terms: { [field]: spellings(value) } };
  const [plain = ""] = start.split("*", 1);
  return plain === "" ? undefined : { bool: { should: spellings(plain).map((text) => ({ prefix: { [field]: text } })) } };
}

const maxTwins = 4;

// The prefix of foldable ASCII characters, with a limited number of letters that have a twin.
function foldableStart(value: string): string {
  const [start = ""] = /^\p{ASCII}*/u.exec(value) ?? [];
  const twins = [...start.matchAll(/[sk]/gi)];
  return start.slice(0, twins[maxTwins]?.index ?? start.length);
}

// Two letters outside ASCII fold to an ASCII letter: the long s and the Kelvin sign.
const twinOf: Readonly<Record<string, string>> = { s: "\u017f", k: "\u212a" };

function spellings(text: string): readonly string[] {
  let found = [""];
  for (const character of text) {
    const twin = twinOf[character.toLowerCase()];
    found = found.flatMap((start) => (twin === undefined ? [start + character] : [start + character, start + twin]));
  }
  return found;
}

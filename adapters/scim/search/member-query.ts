import { mappedUserAttributes } from "../mapping/user-fields.js";
import { enterpriseSchemaId } from "../schema/schemas.js";
import type { AttributePath } from "../schema/types.js";
import type { QueryDocument } from "./compiled-filter.js";
import { isSearchable } from "./text-test.js";

/**
 * Returns the path below `data` where an attribute is stored as it was sent, such as `scim.title` and `scim.enterprise.department`;
 * undefined for attributes that are stored otherwise, that are no texts or that hold several.
 */
export function toMemberPath({ attribute, extension, sub }: AttributePath): string | undefined {
  const { type } = sub ?? attribute;
  if (attribute.multiValued || (type !== "string" && type !== "reference")) return undefined;
  const name = sub === undefined ? attribute.name : `${attribute.name}.${sub.name}`;
  if (extension !== undefined) return extension === enterpriseSchemaId ? `scim.enterprise.${name}` : undefined;
  const isVerbatim = /^name\.honorific/.test(name) || (!mappedUserAttributes.has(attribute.name) && !isAssigned(attribute.name));
  return isVerbatim ? `scim.${name}` : undefined;
}

// By the service.
function isAssigned(name: string): boolean {
  return name === "id" || name === "meta" || name === "schemas";
}

// Searches find no member of `data` that has more characters.
const maxMemberLength = 100;

/** Whether a search finds the members of `data` that are equal to a text. */
export function isSearchableMember(value: string): boolean {
  return isSearchable(value) && Array.from(value).length <= maxMemberLength;
}

/**
 * Returns the query that finds all users whose member of `data` is equal to a text, and perhaps others; undefined where there is none.
 * Searches fold the case of ASCII letters of such members and of no others.
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

// The characters up to one whose case such a search does not fold, and with few letters that have a twin.
function foldableStart(value: string): string {
  const [start = ""] = /^\p{ASCII}*/u.exec(value) ?? [];
  const twins = [...start.matchAll(/[sk]/gi)];
  return start.slice(0, twins[maxTwins]?.index ?? start.length);
}

// Two letters outside of ASCII fold to one of ASCII: the long s and the Kelvin sign.
const twinOf: Readonly<Record<string, string>> = { s: "\u017f", k: "\u212a" };

function spellings(text: string): readonly string[] {
  let found = [""];
  for (const character of text) {
    const twin = twinOf[character.toLowerCase()];
    found = found.flatMap((start) => (twin === undefined ? [start + character] : [start + character, start + twin]));
  }
  return found;
}

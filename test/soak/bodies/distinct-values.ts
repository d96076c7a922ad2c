import type { BodyField } from "../../support/body-fields.ts";
import { type Family, familyOf, idOf, someIdOf } from "./ids.ts";

/** JSON text of a value; each number gives others. */
type ToValue = (number: number) => string;

const sampleId = "00000000-0000-4000-8000-000000000001";
const maxItems = 10_000;

/** Lists and maps whose items differ, of records that are there and of such that are not; texts that are hard to search for. */
export function* distinctValues(field: BodyField, bytes: number): Iterable<readonly [name: string, toValue: ToValue]> {
  if (field.kind === "text") {
    // Searches take them as patterns; of other fields each gets one.
    const own = hardTexts[field.path.join(".").length % hardTexts.length];
    for (const one of hardTexts)
      if (field.path[0] === "search" || one === own)
        yield [one[0], () => `"${one[1].repeat(Math.floor(bytes / one[1].length))}"`];
    yield ["short enough", () => `"${"x".repeat(190)}"`];
    return;
  }
  const isMembers = field.path.includes("members");
  for (const size of isMembers ? [maxItems, Number.POSITIVE_INFINITY] : [maxItems])
    for (const isKnown of [true, false]) {
      const name = `${isKnown ? "known" : "unknown"} records${size === maxItems ? " within the limits" : ""}`;
      yield [name, (number) => fillUp(field, Math.min(size, bytes), bytes, toItemOf(field, isKnown, number))];
    }
}

const hardTexts: readonly (readonly [name: string, text: string])[] = [
  ["full of *", "*a"],
  ["full of (", "("],
  ["full of backslashes", "\\\\"],
  ["full of references", "${a}"],
  ["full of spaces", "a "],
];

function fillUp({ kind }: BodyField, size: number, bytes: number, toItem: (index: number) => string): string {
  const items: string[] = [];
  let length = 0;
  for (let index = 0; index < size; index++) {
    const item = toItem(index);
    length += item.length + 1;
    if (length > bytes - 2) break;
    items.push(item);
  }
  return kind === "list" ? `[${items.join(",")}]` : `{${items.join(",")}}`;
}

/** How an item of a list or a member of a map is written. */
function toItemOf(field: BodyField, isKnown: boolean, number: number): (index: number) => string {
  const name = field.path.at(-1) ?? "";
  const vary = (text: string, family: Family, index: number): string =>
    text
      // The document does not call every id one.
      .replaceAll(/"(\w+Id)":"[^"]*"/g, (all, member: string) => {
        const referred = familyOf(member);
        return referred === undefined ? all : `"${member}":"${idOf(isKnown ? referred : "stranger", index)}"`;
      })
      .replaceAll(sampleId, idOf(isKnown ? family : "stranger", index))
      .replaceAll('"x"', familyOf(name) === undefined ? `"x${index}"` : `"${idOf(isKnown ? family : "stranger", index)}"`);
  if (field.kind === "list") {
    const family = familyOf(field.path.at(-2) === "members" ? "members.key" : name) ?? "user";
    return (index) => vary(field.legal, family, index);
  }
  // The members of groups: one for each group, another one each time.
  if (name === "members" && field.legal === "[]") {
    const own = memberOf(someIdOf(isKnown ? "user" : "stranger", number));
    return (index) => `"${keyOf(name, isKnown, index)}":[${own}]`;
  }
  return (index) => `"${keyOf(name, isKnown, index)}":${vary(field.legal, "user", index)}`;
}

const memberOf = (userId: string): string => `{"userId":"${userId}"}`;

function keyOf(name: string, isKnown: boolean, index: number): string {
  if (name === "members") return idOf(isKnown ? "group" : "stranger", index + 1);
  if (name === "endpoints") return `/api/scim/${index}`;
  return `k${index}`;
}

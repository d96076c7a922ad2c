import { foldEmailAddress } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";
import { toItemKey } from "../schema/item-key.js";
import { isPrimary } from "../schema/read-value.js";
import { userSchema } from "../schema/schemas.js";
import { trimmedText } from "./scim-data.js";
import { type Members, toValidValue } from "./valid-value.js";

/** A list of a SCIM user with one value in a field of the API's user. */
export interface MainValueList {
  readonly name: "emails" | "phoneNumbers" | "photos";
  /** Field of the API's user with the main value. */
  readonly field: "email" | "mobilePhone" | "imageUrl";
  /** Type of the main value; without such a value, the primary value is the main one, else the first. */
  readonly mainType?: string;
  /** The shown parts of a main value that is stored in the field only. */
  readonly shownAs: Members;
  /** Returns a value in the API's stored form. */
  readonly normalize: (text: string) => string;
}

/** The lists of a user with a main value. */
export const mainValueLists: readonly MainValueList[] = [
  {
    name: "emails",
    field: "email",
    shownAs: { type: "work", primary: true },
    normalize: foldEmailAddress,
  },
  {
    name: "phoneNumbers",
    field: "mobilePhone",
    mainType: "mobile",
    shownAs: { type: "mobile" },
    normalize: (text) => text.trim(),
  },
  { name: "photos", field: "imageUrl", mainType: "photo", shownAs: { type: "photo" }, normalize: (text) => text.trim() },
];

/** A stored list: the main value in a field of the user, and the whole list if the field is not enough. */
export interface StoredList {
  readonly main: string | undefined;
  readonly items: readonly Members[];
}

/** Splits a list of a request into the main value and the list, which is empty when the main value is enough. */
export function splitList(list: MainValueList, value: unknown): StoredList {
  const items = toItems(value);
  const found = items[findMain(list, items)];
  const main = found && list.normalize(String(found.value));
  const isPlain = items.length === 1 && main !== undefined && isSameItem(items[0], { value: main, ...list.shownAs });
  return { main, items: isPlain ? [] : items };
}

/** Returns the list to show. A main value that the API changed or removed since is changed or removed there too. */
export function joinList(list: MainValueList, { main, items }: StoredList): readonly Members[] | undefined {
  const index = findMain(list, items);
  const shown = main === undefined ? items.filter((_, at) => at !== index) : withMain(list, { main, items }, index);
  return shown.length === 0 ? undefined : shown;
}

function withMain(list: MainValueList, { main, items }: StoredList, index: number): readonly Members[] {
  const value = main ?? "";
  const found = items[index];
  if (found === undefined) return [toPlainItem(list, value, items.some(isPrimary)), ...items];
  if (list.normalize(String(found.value)) === list.normalize(value)) return items;
  const { display: _stale, ...parts } = found;
  const changed = { ...parts, value };
  const key = toItemKey(attributeOf(list), changed);
  return items.flatMap((item, at) => (at === index ? [changed] : toItemKey(attributeOf(list), item) === key ? [] : [item]));
}

function toPlainItem({ shownAs }: MainValueList, value: string, hasPrimary: boolean): Members {
  const { primary, ...others } = shownAs;
  return { value, ...others, ...(primary === true && !hasPrimary && { primary }) };
}

// -1 when no value has a text.
function findMain({ mainType }: MainValueList, items: readonly Members[]): number {
  const find = (test: (item: Members) => boolean) =>
    items.findIndex((item) => trimmedText(item.value) !== undefined && test(item));
  const ofType = mainType === undefined ? -1 : find(({ type }) => typeof type === "string" && type.toLowerCase() === mainType);
  if (ofType >= 0) return ofType;
  const primary = find(isPrimary);
  return primary >= 0 ? primary : find(() => true);
}

/** Returns the values of a stored list that fit its attribute. */
export function toValidItems(list: MainValueList, value: unknown): readonly Members[] {
  return toItems(toValidValue(attributeOf(list), value));
}

function attributeOf({ name }: MainValueList) {
  const attribute = userSchema.attributes.find((known) => known.name === name);
  if (attribute === undefined) throw new Error(`The schema of users has no ${name}.`);
  return attribute;
}

function toItems(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isSameItem(one: Members | undefined, other: Members): boolean {
  const names = Object.keys(other);
  return one !== undefined && Object.keys(one).length === names.length && names.every((name) => one[name] === other[name]);
}

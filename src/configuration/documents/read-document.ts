import { type FieldErrorList, fieldError } from "../../errors/identity-error.js";
import type { Schema } from "../../http/schema/fields.js";
import { definitionOf } from "../../http/schema/parse-with.js";
import { reasonWithoutEffect, refusalOf } from "../../operations/family/settings-without-effect.js";
import { findUnsafeValue, maxJsonDepth } from "../../shared/find-unsafe-value.js";
import { isObject } from "../../shared/objects.js";
import { formatPath, parseUuid } from "../../shared/text.js";
import { type ConfigFamily, configFamilies, nestedIn } from "./config-families.js";
import { configFormatVersion, type Members, omit, suggest } from "./document.js";

/** One record in a document. */
export interface Item {
  readonly row: ConfigFamily;
  readonly path: string;
  /** Its members, without its id and nested records. */
  readonly given: Members;
  readonly id: string | undefined;
  readonly parent: Item | undefined;
  /** The members with nested records. */
  readonly lists: readonly string[];
}

const topRows = configFamilies.filter(({ nested }) => nested === undefined);
const topNames = ["formatVersion", "$schema", ...topRows.map(({ name }) => name)];

/** A copy of a document that is plain JSON. @throws IdentityError 400 for a value that is no document. */
export function toPlainDocument(document: unknown): Members {
  const unsafe = findUnsafeValue(document);
  if (unsafe?.kind === "tooDeep")
    throw fieldError("invalid", "document", `The document nests deeper than ${maxJsonDepth} levels.`);
  if (unsafe !== undefined) throw fieldError("invalid", formatPath(unsafe.path));
  if (!isObject(document)) throw fieldError("invalidJSON", "document", "The document must be a JSON object.");
  const plain = JSON.parse(JSON.stringify(document)) as Members;
  if (plain.formatVersion === undefined) throw fieldError("missing", "formatVersion");
  if (plain.formatVersion !== configFormatVersion)
    throw fieldError("invalid", "formatVersion", `This release reads documents of version ${configFormatVersion}.`);
  return plain;
}

/** Where records are in a document. */
type Place = Pick<Item, "row" | "path" | "parent">;

/** The records of a document, in the order of their families; adds errors of its form. */
export async function readItems(document: Members, errors: FieldErrorList): Promise<readonly Item[]> {
  for (const name of Object.keys(document))
    if (!topNames.includes(name)) errors.add("invalid", formatPath([name]), unknownMessage([name], topNames));
  const items: Item[] = [];
  for (const row of topRows) {
    const value = document[row.name];
    if (value === undefined) continue;
    const read = row.isSingle ? readItem : readList;
    for (const item of await read({ row, path: row.name, parent: undefined }, value, errors)) items.push(item);
  }
  return items;
}

async function readList(place: Place, value: unknown, errors: FieldErrorList): Promise<readonly Item[]> {
  const { path } = place;
  if (!Array.isArray(value)) {
    errors.add("invalidJSON", path, `The [${path}] must be a list.`);
    return [];
  }
  const items: Item[] = [];
  for (const [index, member] of value.entries())
    for (const item of await readItem({ ...place, path: `${path}[${index}]` }, member, errors)) items.push(item);
  return items;
}

async function readItem({ row, path, parent }: Place, value: unknown, errors: FieldErrorList): Promise<readonly Item[]> {
  if (!isObject(value)) {
    errors.add("invalidJSON", path, `The [${path}] must be an object.`);
    return [];
  }
  const inside = nestedIn(row).flatMap(({ nested }) => nested?.as ?? []);
  const hasId = row.isSingle === undefined && row.takesNoId === undefined;
  const others = [...inside, ...(hasId ? ["id"] : [])];
  const given = omit(value, others);
  const lists = inside.filter((name) => value[name] !== undefined);
  const item: Item = { row, path, given, id: hasId ? readId(value.id, path, errors) : undefined, parent, lists };
  await checkMembers(item, others, errors);
  const items: Item[] = [item];
  for (const inner of nestedIn(row)) {
    const name = inner.nested?.as ?? "";
    if (!lists.includes(name)) continue;
    for (const one of await readList({ row: inner, path: `${path}.${name}`, parent: item }, value[name], errors)) items.push(one);
  }
  return items;
}

function readId(value: unknown, path: string, errors: FieldErrorList): string | undefined {
  if (value === undefined || value === null) return undefined;
  const id = typeof value === "string" ? parseUuid(value) : undefined;
  if (id === undefined) errors.add("couldNotConvert", `${path}.id`);
  return id;
}

async function checkMembers({ row, path, given }: Item, others: readonly string[], errors: FieldErrorList): Promise<void> {
  const schema = memberSchema((await (row.newRequest ?? row.family.request)()) as Schema<unknown>, row.family.wrapper);
  const beside = [...(row.beside ?? []), ...(row.address !== undefined && row.nested === undefined ? [row.address] : [])];
  const unknown = schema === undefined ? [] : findUnknownMembers(schema, omit(given, beside));
  for (const { path: segments, known } of unknown) {
    const names = segments.length === 1 ? [...known, ...beside, ...others] : known;
    const at = `${path}.${formatPath(segments)}`;
    const reason = reasonWithoutEffect(`${row.family.wrapper}.${formatPath(segments)}`);
    errors.add("invalid", at, reason === undefined ? unknownMessage(segments, names) : refusalOf(at, reason));
  }
}

function unknownMessage(segments: readonly PropertyKey[], known: readonly string[]): string {
  const name = String(segments.at(-1)).slice(0, 100);
  return `There is no member ${name} here.${suggest(name, known)}`;
}

interface UnknownMember {
  readonly path: readonly PropertyKey[];
  readonly known: readonly string[];
}

/** The members of a value that its schema lacks. Maps and metadata may have any members. */
function findUnknownMembers(
  schema: Schema<unknown>,
  value: unknown,
  path: readonly PropertyKey[] = [],
): readonly UnknownMember[] {
  const { shape, element } = definitionOf(schema);
  if (element !== undefined && Array.isArray(value))
    return value.flatMap((item, index) => findUnknownMembers(element, item, [...path, index]));
  if (shape === undefined || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const own = [...path, name];
    return known === undefined ? [{ path: own, known: Object.keys(shape) }] : findUnknownMembers(known, member, own);
  });
}

function memberSchema(schema: Schema<unknown>, name: string): Schema<unknown> | undefined {
  return definitionOf(schema).shape?.[name];
}

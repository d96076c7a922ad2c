/** The document that says how a service is to be configured, and what differs from it (docs/configuration.md). */
import { type ConfiguredOperations, configuredFamilies, type NestedFamily } from "../../families/index.js";
import { isObject } from "../../shared/objects.js";
import { foldText } from "../../shared/text.js";

/** The version of the form of documents and plans. */
export const configFormatVersion = 1 as const;

/** The name of a family that is configuration. */
export type ConfigFamilyName = keyof ConfiguredOperations;

/** The families that are configuration, in the order in which they can refer to each other. */
export const configFamilyNames: readonly ConfigFamilyName[] = Object.keys(configuredFamilies) as ConfigFamilyName[];

/** One record: what the body of a POST says of it, with names where that has the ids of others. */
export type ConfigRecord = Readonly<Record<string, unknown>>;

/** What a service is to be configured as: the records of each family that it speaks of. Families that it leaves out are left alone. */
export type ConfigDocument = {
  readonly formatVersion: 1;
  /** For editors. */
  readonly $schema?: string;
  readonly integrations?: ConfigRecord;
} & {
  readonly [Name in Exclude<ConfigFamilyName, NestedFamily>]?: readonly ConfigRecord[];
};

/** One member that has changed. A secret only appears as present. */
export interface ConfigDifference {
  /** From the record, as field errors write paths. */
  readonly path: string;
  /** The value before; absent when there was none. */
  readonly before?: unknown;
  /** The value after; absent when it is removed. */
  readonly after?: unknown;
  /** Set where `before` and `after` carry no values. */
  readonly isSecret?: true;
}

/** One record that is made, changed or removed. */
export interface ConfigChange {
  /** What happens to the record. */
  readonly action: "create" | "update" | "delete";
  /** The family of the record, such as `groups`. */
  readonly family: ConfigFamilyName;
  /** The names that the record is known by, from its tenant down: `Default/Editors`. */
  readonly key: string;
  /** The version of the record that the change was planned for; absent for what is made. */
  readonly etag?: string;
  /** The members that change, each with its old and new value; secrets are masked. */
  readonly diff: readonly ConfigDifference[];
}

/** Which records that the document does not name are removed: none, those of most families, or those of these families. */
export type ConfigPrune = boolean | readonly ConfigFamilyName[];

/** What would change, in order, and the document it was computed for. It can be stored as JSON and applied later. */
export interface ConfigPlan {
  /** The version of this shape. */
  readonly formatVersion: 1;
  /** The changes, in the order in which they are applied. */
  readonly changes: readonly ConfigChange[];
  /** The document that the plan was computed for. */
  readonly document: ConfigDocument;
  /** Whether records that the document lacks are removed. */
  readonly prune: ConfigPrune;
}

/** What was changed, in its order. */
export interface ConfigResult {
  /** The changes that were applied, in order. */
  readonly changes: readonly ConfigChange[];
}

/** The value that a reference such as `env:NAME` stands for; undefined when there is none. */
export type ResolveSecret = (reference: string) => string | undefined | Promise<string | undefined>;

/** Options of a plan. */
export interface ConfigPlanOptions {
  /**
   * Default false. `true` covers the families that the document names, but for tenants and applications: users go with those, so that
   * they are removed only where the list names them.
   */
  readonly prune?: ConfigPrune | undefined;
  /** Default: `env:NAME` is what the environment says. */
  readonly resolveSecret?: ResolveSecret | undefined;
}

/** Options of applying. */
export interface ConfigApplyOptions extends ConfigPlanOptions {
  /** Why, for the audit log. */
  readonly auditReason?: string | undefined;
}

/** Options of an export. */
export interface ConfigExportOptions {
  /** Default: all. */
  readonly families?: readonly ConfigFamilyName[] | undefined;
  /** Whether each record includes its id, as needed to move a service along with external references to it. Default: only where names are ambiguous. */
  readonly ids?: boolean | undefined;
}

/** Configuration as a document: what a service has, and how to get from there to what it should have. */
export interface Configuration {
  /**
   * What {@link Configuration.apply} would change. Everything is done and undone, so that what would be refused is refused here.
   * @throws IdentityError 400 with the path in the document of all that is wrong.
   */
  plan(document: ConfigDocument, options?: ConfigPlanOptions): Promise<ConfigPlan>;
  /**
   * Makes the service what a document says, or does what a plan says: all of it, or nothing.
   * @throws IdentityError 400 as a plan does; 412 `[preconditionFailed]` when a plan is given and something is other than it was.
   */
  apply(planOrDocument: ConfigPlan | ConfigDocument, options?: ConfigApplyOptions): Promise<ConfigResult>;
  /** The document of what the service has. It holds no secret. */
  export(options?: ConfigExportOptions): Promise<ConfigDocument>;
  /**
   * What tenants and applications ask for and cannot have, such as a verification without a template: a sentence each, with the fix
   * (docs/reference/account-flows.md#missing-parts).
   */
  missingParts(options?: {
    /** Whether the options `mail` and `sendSms` are taken for granted. Default false. */
    readonly assumeSenders?: boolean | undefined;
  }): Promise<readonly string[]>;
}

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Replaces the value at a path; missing values stay missing. In it, `[]` stands for each element of a list, `*` for each member of a map, and
 * `{}` at the end for the name of each member.
 */
export function mapAt(
  value: unknown,
  path: string,
  replace: (found: unknown, path: string) => unknown,
  at: string = "",
): unknown {
  if (value === undefined || value === null) return value;
  if (path === "") return replace(value, at);
  if (path.startsWith("[]")) {
    if (!Array.isArray(value)) return value;
    const rest = path.slice(2).replace(/^\./, "");
    return value.map((item, index) => mapAt(item, rest, replace, `${at}[${index}]`));
  }
  if (path === "{}") return isObject(value) ? mapNames(value, (name) => replace(name, `${at}.${name}`)) : value;
  const [, name = "", rest = ""] = /^([^.[{]+)\.?(.*)$/.exec(path) ?? [];
  if (name === "*" && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapAt(member, rest, replace, `${at}.${key}`)]));
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: mapAt(value[name], rest, replace, at === "" ? name : `${at}.${name}`) };
}

function mapNames(value: Members, rename: (name: string) => unknown): Members {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [String(rename(name) ?? name), member]));
}

/** An object without these members. */
export function omit(object: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** An object with these of its members alone. */
export function pick(object: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** The members of a value; a value that is no object has none. */
export function membersIn(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** A key as documents write it: names from the tenant down, with `~` and `/` inside of them escaped as in a JSON Pointer (RFC 6901). */
export function toKeyText(names: readonly string[]): string {
  return names.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
}

/** What two keys have in common that name the same record. */
export function foldKey(key: string): string {
  return foldText(key);
}

/** The known text that one was probably meant to be; undefined when none is near. */
function findSimilar(text: string, known: Iterable<string>): string | undefined {
  const wanted = foldText(text).slice(0, maxLength);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = countEdits(wanted, foldText(name).slice(0, maxLength));
    if (distance < (best?.distance ?? Math.max(2, wanted.length / 3) + 1)) best = { name, distance };
  }
  return best?.name;
}

const maxLength = 100;

// Levenshtein's distance, one row at a time.
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [position, character] of [...from].entries()) {
    const next = [position + 1];
    for (let index = 0; index < to.length; index++) {
      const replaced = (row[index] ?? 0) + Number(character !== to[index]);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** A sentence that names what was probably meant, or nothing. */
export function suggest(text: string, known: Iterable<string>): string {
  const similar = findSimilar(text, known);
  return similar === undefined ? "" : ` Did you mean ${similar}?`;
}

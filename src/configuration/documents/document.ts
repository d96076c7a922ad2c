/** The document that describes the configuration of a service, and its differences (docs/configuration.md). */
import { type ConfiguredOperations, configuredFamilies, type NestedFamily } from "../../families/index.js";
import { isObject } from "../../shared/objects.js";
import { foldText } from "../../shared/text.js";

/** The version of the form of documents and plans. */
export const configFormatVersion = 1 as const;

/** The name of a family of configuration. */
export type ConfigFamilyName = keyof ConfiguredOperations;

/** The families of configuration, in the order of their references. */
export const configFamilyNames: readonly ConfigFamilyName[] = Object.keys(configuredFamilies) as ConfigFamilyName[];

/** One record: the body of its POST, with names in place of ids. */
export type ConfigRecord = Readonly<Record<string, unknown>>;

/** The desired configuration of a service: the records of each family that it contains. Other families stay unchanged. */
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
  /** From the record, in the form of paths in field errors. */
  readonly path: string;
  /** The value before; absent when there was none. */
  readonly before?: unknown;
  /** The value after; absent when it is removed. */
  readonly after?: unknown;
  /** Set where `before` and `after` have no values. */
  readonly isSecret?: true;
}

/** One record that is created, changed or removed. */
export interface ConfigChange {
  /** The action on the record. */
  readonly action: "create" | "update" | "delete";
  /** The family of the record, such as `groups`. */
  readonly family: ConfigFamilyName;
  /** The names that identify the record, from its tenant down: `Default/Editors`. */
  readonly key: string;
  /** The version of the record that the change was planned for; absent for new records. */
  readonly etag?: string;
  /** The members that change, each with its old and new value; secrets are masked. */
  readonly diff: readonly ConfigDifference[];
}

/** The records to remove if the document lacks them: none, those of most families, or those of these families. */
export type ConfigPrune = boolean | readonly ConfigFamilyName[];

/** The changes, in order, and the document that they were computed for. A plan can be stored as JSON and applied later. */
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

/** The result of applying a document or a plan. */
export interface ConfigResult {
  /** The applied changes, in order. */
  readonly changes: readonly ConfigChange[];
}

/** Returns the value of a reference such as `env:NAME`; undefined when there is none. */
export type ResolveSecret = (reference: string) => string | undefined | Promise<string | undefined>;

/** Options of a plan. */
export interface ConfigPlanOptions {
  /**
   * Default false. `true` covers the families in the document, except tenants and applications: removing those removes users, so
   * it requires that the list names them.
   */
  readonly prune?: ConfigPrune | undefined;
  /** Default: resolves `env:NAME` from the environment. */
  readonly resolveSecret?: ResolveSecret | undefined;
}

/** Options of applying. */
export interface ConfigApplyOptions extends ConfigPlanOptions {
  /** The reason, for the audit log. */
  readonly auditReason?: string | undefined;
}

/** Options of an export. */
export interface ConfigExportOptions {
  /** Default: all. */
  readonly families?: readonly ConfigFamilyName[] | undefined;
  /**
   * Whether each record includes its id, as needed to move a service along with external references to it. Default: only where
   * names are ambiguous.
   */
  readonly ids?: boolean | undefined;
}

/** Configuration as a document: exports the current one, and plans and applies the desired one. */
export interface Configuration {
  /**
   * Returns the changes of {@link Configuration.apply}. Runs everything and rolls it back, so it reports the same refusals.
   * @throws IdentityError 400 with the path in the document of all errors.
   */
  plan(document: ConfigDocument, options?: ConfigPlanOptions): Promise<ConfigPlan>;
  /**
   * Applies a document or a plan to the service: all of it, or nothing.
   * @throws IdentityError 400 as a plan does; 412 `[preconditionFailed]` when a plan is given and its records have changed since.
   */
  apply(planOrDocument: ConfigPlan | ConfigDocument, options?: ConfigApplyOptions): Promise<ConfigResult>;
  /** Returns the configuration of the service as a document, without secrets. */
  export(options?: ConfigExportOptions): Promise<ConfigDocument>;
  /**
   * Returns the missing parts that tenants and applications require, such as a template for verification: a sentence each, with
   * the fix (docs/reference/account-flows.md#missing-parts).
   */
  missingParts(options?: {
    /** Whether to assume that the options `mail` and `sendSms` are set. Default false. */
    readonly assumeSenders?: boolean | undefined;
  }): Promise<readonly string[]>;
}

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Replaces the values at a path; missing values stay missing. `[]` is each element of a list, `*` each member of a map, and `{}`
 * at the end the name of each member.
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

/** An object with only these of its members. */
export function pick(object: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** The members of a value; none for a value that is no object. */
export function membersIn(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** The key of a record in documents: names from the tenant down, with `~` and `/` escaped as in a JSON Pointer (RFC 6901). */
export function toKeyText(names: readonly string[]): string {
  return names.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
}

/** Makes keys of the same record equal. */
export function foldKey(key: string): string {
  return foldText(key);
}

/** The most similar known text; undefined when none is similar. */
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

/** A sentence with the most similar known text, or an empty text. */
export function suggest(text: string, known: Iterable<string>): string {
  const similar = findSimilar(text, known);
  return similar === undefined ? "" : ` Did you mean ${similar}?`;
}

import { configuredFamilies } from "../../families/index.js";
import type { ConfigurationRow, ConfiguredRow } from "../../operations/family/family-row.js";
import type { AnyFamily } from "../../operations/verbs/define-family.js";
import { type ConfigFamilyName, configFamilyNames } from "./document.js";

/** A family, and the form of its records in documents. */
export interface ConfigFamily extends ConfigurationRow {
  readonly name: ConfigFamilyName;
  readonly family: ConfiguredRow & { readonly name: string };
  readonly references: Readonly<Record<string, ConfigFamilyName>>;
  readonly load: AnyFamily["load"];
  readonly toRequestDocument: AnyFamily["toRequestDocument"];
}

/** The families of configuration. Users, registrations, memberships and logs are data. */
export const configFamilies: readonly ConfigFamily[] = configFamilyNames.map((name) => {
  const { load, row, toRequestDocument } = configuredFamilies[name];
  if (row.configuration === undefined) throw new Error(`The row of ${name} does not say how documents write it.`);
  const references = Object.entries(row.configuration.references ?? {}).map(([path, target]) => [path, toName(target)]);
  return { ...row.configuration, name, family: row, references: Object.fromEntries(references), load, toRequestDocument };
});

function toName(text: string): ConfigFamilyName {
  const name = configFamilyNames.find((known) => known === text);
  if (name === undefined) throw new Error(`${text} is no configuration.`);
  return name;
}

const byName: ReadonlyMap<ConfigFamilyName, ConfigFamily> = new Map(configFamilies.map((row) => [row.name, row]));

/** The row of a family. */
export function rowOf(name: ConfigFamilyName): ConfigFamily {
  const row = byName.get(name);
  if (row === undefined) throw new Error(`${name} is no configuration.`);
  return row;
}

/** The rows of families that are nested in records of this one. */
export function nestedIn(row: ConfigFamily): readonly ConfigFamily[] {
  return configFamilies.filter(({ nested }) => nested?.in === row.name);
}

/** Families and those that they refer to, directly or not, in their order. */
export function withReferences(names: Iterable<ConfigFamilyName>): readonly ConfigFamily[] {
  const found = new Set<ConfigFamilyName>();
  const visit = (name: ConfigFamilyName): void => {
    if (found.has(name)) return;
    found.add(name);
    const row = rowOf(name);
    for (const { name: inside } of nestedIn(row)) visit(inside);
    for (const target of Object.values(row.references)) visit(target);
  };
  for (const name of names) visit(name);
  return configFamilies.filter(({ name }) => found.has(name));
}

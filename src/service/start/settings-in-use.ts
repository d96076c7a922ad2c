import { configuredFamilies } from "../../families/index.js";
import { parseRecord } from "../../operations/family/family.js";
import type { ConfiguredRow } from "../../operations/family/family-row.js";
import { loadSettings } from "../../operations/family/load-settings-without-effect.js";
import type { SettingWithoutEffect } from "../../operations/family/settings-without-effect.js";
import { readAll } from "../../operations/read-all.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { StoredRecord } from "../../ports/storage.js";

/** The largest number of records in the log line. */
const maxNamed = 50;

interface SettingsInUse {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly settings: readonly string[];
}

/** Logs, in one line, the records that have settings without effect. */
export async function logSettingsInUse(service: ServiceContext): Promise<void> {
  const found = await findSettings(service);
  if (found.length === 0) return;
  const named = found.slice(0, maxNamed).map(({ id, name, settings, type }) => `${type} ${name} (${id}): ${settings.join(", ")}`);
  const others = found.length > maxNamed ? [`${found.length - maxNamed} more records`] : [];
  const advice = "docs/reference/settings-without-effect.md says what to set instead.";
  const message = `Settings are stored that have no effect here. ${[...named, ...others].join("; ")}. ${advice}`;
  service.runtime.logger.warn({ records: found.slice(0, maxNamed) }, message);
}

async function findSettings(service: ServiceContext): Promise<readonly SettingsInUse[]> {
  const { settingsForHostPages, settingsWithoutEffect, setWithoutEffect } = await loadSettings();
  const rows: readonly Pick<ConfiguredRow, "table" | "wrapper">[] = Object.values(configuredFamilies).map(({ row }) => row);
  const found: SettingsInUse[] = [];
  for (const { table, wrapper } of rows) {
    if (settingsWithoutEffect(wrapper).length + settingsForHostPages(wrapper).length === 0) continue;
    for await (const stored of readAll(service, table)) {
      const one = describe(wrapper, stored, setWithoutEffect);
      if (one !== undefined) found.push(one);
    }
  }
  return found;
}

type FindSettings = (wrapper: string, record: unknown) => readonly SettingWithoutEffect[];

function describe(type: string, stored: StoredRecord, find: FindSettings): SettingsInUse | undefined {
  const record = parseRecord<{ readonly name?: string }>(stored);
  const settings = find(type, record).map(({ path }) => path);
  return settings.length === 0 ? undefined : { type, id: stored.id, name: record.name ?? "", settings };
}

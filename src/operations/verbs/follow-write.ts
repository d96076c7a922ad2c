import type { RecordToStore } from "../../ports/storage.js";
import type { BaseRecord, Change, Family } from "../family/family.js";
import { hasSettingWithoutEffect } from "../family/load-settings-without-effect.js";
import { reportForbiddenUrls } from "../family/outbound-urls.js";
import type { WriteCall } from "../operation.js";

/** Runs after each stored record: the family's `afterWrite` and the warnings about its settings. */
export async function followWrite<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: Family<Wire, Request>,
  change: Change<Wire, Request>,
  stored: RecordToStore,
): Promise<void> {
  const { record } = change.draft;
  await family.rules.afterWrite?.(call, change, stored);
  await reportForbiddenUrls(call, family, record);
  if (await hasSettingWithoutEffect(family.wrapper, record)) await call.service.recordSettingsInUse(call.tx);
}

import { fieldError } from "../../errors/identity-error.js";
import {
  completeFrom,
  type Draft,
  type DraftContext,
  type Family,
  parseRecord,
  toBaseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { toRecordToStore } from "../../operations/family/record-steps.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { defaultThemeId, themeFamily, themesTable } from "../../records/themes/family.js";
import type { ParsedThemeRequest, Theme, ThemeRequest } from "../../records/themes/schema.js";
import { foldText, parseUuid } from "../../shared/text.js";

/** The family of themes (docs/reference/themes.md). */
export const themes: Family<Theme, ParsedThemeRequest> = {
  ...themeFamily,
  rules: { completeBody: copySource, toDraft, beforeRemove: async (_call, { id }) => assertRemovable(id) },
};

async function copySource(call: OperationCall): Promise<unknown> {
  const body = call.body as { readonly sourceThemeId?: unknown } | null | undefined;
  const source = body?.sourceThemeId;
  if (!body || typeof source !== "string") return body;
  const stored = await call.reader.retrieve(globalScope, themesTable, parseUuid(source) ?? "");
  if (stored === undefined) throw fieldError("invalid", "sourceThemeId");
  return completeFrom(body, "theme", { ...parseRecord<Theme>(stored), name: undefined });
}

function assertRemovable(id: string): void {
  if (id === defaultThemeId) throw fieldError("invalid", "themeId", "The default theme cannot be removed.");
}

function toDraft(_call: WriteCall, { theme }: ParsedThemeRequest, context: DraftContext<Theme>): Draft<Theme> {
  return toThemeDraft({ ...theme, ...toBaseRecord(context) });
}

function toThemeDraft(record: Theme): Draft<Theme> {
  return { record, columns: { nameFolded: foldText(record.name) } };
}

/** Creates the default theme of tenants. */
export const makeBuiltIn: FamilyRulesModule["makeBuiltIn"] = async (tx, { runtime }) => {
  const now = runtime.clock();
  const texts = { default: {}, localized: {} };
  const fields = { name: "Default", data: {}, colors: {}, darkColors: {}, messages: texts };
  const draft = toThemeDraft({ ...fields, id: defaultThemeId, insertInstant: now, lastUpdateInstant: now });
  await tx.insert(globalScope, themesTable, [toRecordToStore(draft, null, 1)]);
};

export const example: FamilyExample<ThemeRequest> = ({ number }) => ({ theme: { name: `Theme ${number}` } });

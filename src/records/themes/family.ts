import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  type IdInput,
  type PatchInput,
  type RecordRow,
  type SearchInput,
  type SearchOutput,
  searchableOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { lazySchema } from "../schemas.js";
import type { ParsedThemeRequest, Theme, ThemeRequest } from "./schema.js";

/** The criteria of a search for themes (docs/reference/themes.md). */
export interface ThemeCriteria {
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
}

/** Operations on themes (docs/reference/themes.md). */
export interface ThemeOperations {
  /** Creates and returns a record. */
  readonly create: OperationSignature<ThemeRequest & Partial<IdInput<"themeId">>, { readonly theme: Theme }>;
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<IdInput<"themeId">, { readonly theme: Theme }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly themes: readonly Theme[] }>;
  /** Replaces a record; missing members return to their defaults. */
  readonly update: OperationSignature<ThemeRequest & IdInput<"themeId">, { readonly theme: Theme }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"themeId">, { readonly theme: Theme }>;
  /**
   * Removes a record; 404 for an unknown one, 400 for the default theme and `[inUse]` while a tenant or an application names
   * it.
   */
  readonly remove: OperationSignature<IdInput<"themeId">, undefined>;
  /** Searches records; returns a sorted page and the total. */
  readonly search: OperationSignature<SearchInput<ThemeCriteria>, SearchOutput<"themes", Theme>>;
}

/** The id of the default theme, the same in every storage. */
export const defaultThemeId = "75a068fd-e94b-451a-9aeb-3ddb9a3b5987";

export const themesTable: Table = defineTable({
  name: "themes",
  tenancy: "global",
  since: 9,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** The family of themes of the sign-in pages. */
export const themeFamily: RecordRow<"themes", Theme, ParsedThemeRequest, ThemeOperations> = {
  name: "themes",
  wrapper: "theme",
  plural: "themes",
  searchPath: "/api/theme/search",
  idParameter: "themeId",
  table: themesTable,
  request: lazySchema("tenants", "themeRequest"),
  search: { ...nameSearch, defaultOrder: "insertInstant ASC" },
  uniquePaths: { name: "theme.name" },
  setPaths: new Set(),
  operations: searchableOperations,
  routes: [...defineRecordRoutes("/api/theme/:themeId", "global"), ...defineSearchRoutes("/api/theme/search", "global")],
  tables: [themesTable],
  auditName: "theme",
  builtIn: { name: "defaultTheme" },
  configuration: { key: ["name"], isBuiltIn: ({ id }) => id === defaultThemeId },
};

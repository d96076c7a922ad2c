import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  type IdInput,
  type RecordRow,
  type SearchableOperations,
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
export interface ThemeOperations extends SearchableOperations<"theme", "themes", Theme, ThemeRequest, ThemeCriteria> {
  /**
   * Removes a record; 404 for an unknown one, 400 for the default theme and `[inUse]` while a tenant or an application names
   * it.
   */
  readonly remove: OperationSignature<IdInput<"themeId">, undefined>;
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

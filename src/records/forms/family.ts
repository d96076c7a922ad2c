import { defineRecordRoutes, defineRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import { customOperation, type RecordOperations, type RecordRow, recordOperations } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { lazySchema } from "../schemas.js";
import type {
  DescribeFormInput,
  DescribeFormResponse,
  Form,
  FormRequest,
  ParsedFormRequest,
  ValidateFormInput,
  ValidateFormResponse,
} from "./schema.js";

/** Operations on forms (docs/reference/forms.md#forms). */
export interface FormOperations extends RecordOperations<"form", "forms", Form, FormRequest> {
  /** Returns the form with its fields and texts, for a front end to render. */
  readonly describe: OperationSignature<DescribeFormInput, DescribeFormResponse>;
  /** Validates a submission; stores nothing. Throws the errors of the fields, then those of the application's lambda. */
  readonly validate: OperationSignature<ValidateFormInput, ValidateFormResponse>;
}

export const formsTable: Table = defineTable({
  name: "forms",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** The family of forms. */
export const formFamily: RecordRow<"forms", Form, ParsedFormRequest, FormOperations> = {
  name: "forms",
  wrapper: "form",
  plural: "forms",
  idParameter: "formId",
  table: formsTable,
  request: lazySchema("forms", "formRequest"),
  search: nameSearch,
  uniquePaths: { name: "form.name" },
  setPaths: new Set(),
  operations: { ...recordOperations, describe: customOperation("formId", "locale"), validate: customOperation("formId") },
  // Forms are global, but users of every tenant fill them in.
  routes: [
    ...defineRecordRoutes("/api/form/:formId", "global"),
    ...defineRoutes([
      ["GET", "/api/form/:formId/describe", "tenant", "describe"],
      ["POST", "/api/form/:formId/describe", "tenant", "describe"],
      ["POST", "/api/form/:formId/validate", "tenant", "validate"],
      ["POST", "/api/form/validate", "tenant", "validate"],
    ]),
  ],
  tables: [formsTable],
  auditName: "form",
  configuration: { key: ["name"], references: { "steps[].fields[]": "formFields" }, fixed: () => ["type"] },
};

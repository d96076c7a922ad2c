import { api, unwrap } from "../../app/api.js";
import { Badge } from "../../kit/values.js";
import { crudOf } from "../records/crud.js";
import { type AnyRecord, defineFamilyRow, type FamilyRow } from "../records/family-row.js";
import { type Named, namedColumns } from "../records/named-columns.js";
import { listed } from "../records/pages.js";
import { FormPreview } from "./form-preview.js";
import { stepsControl } from "./steps-control.js";

const siblings = [
  { label: "forms.many", path: "/forms" },
  { label: "formFields.many", path: "/forms/fields" },
];

interface FormRow extends Named {
  readonly type: string;
  readonly steps: readonly unknown[];
}

/** Forms, each with its steps and their fields. */
export const formRow: FamilyRow<FormRow> = defineFamilyRow({
  family: "forms",
  path: "/forms",
  endpoint: "/api/form",
  messages: "forms",
  schema: "Form",
  member: "form",
  titleOf: ({ name }) => name,
  columns: (t) => [
    ...namedColumns(t),
    { id: "type", label: t("type"), cell: ({ type }) => <Badge>{type}</Badge> },
    { id: "steps", label: t("steps"), align: "end", cell: ({ steps }) => steps.length },
  ],
  list: async (page) => listed(unwrap(await api.forms.list({}, { signal: page.signal })).forms ?? [], page),
  siblings,
  crud: crudOf(api.forms, "formId"),
  fixed: ["type"],
  initial: { type: "registration", steps: [{ fields: [] }] },
  layout: (t) => [{ title: t("forms.one"), fields: ["name", "type", "steps"] }],
  controls: { steps: stepsControl },
  beside: (shown) => shown && <FormPreview formId={shown.record.id} version={shown.etag} />,
  hasUsers: true,
});

interface FieldRow extends AnyRecord {
  readonly name: string;
  readonly key: string;
  readonly type: string;
  readonly control?: string | undefined;
  readonly required: boolean;
  readonly lastUpdateInstant: number;
}

/** Form fields. */
export const fieldRow: FamilyRow<FieldRow> = defineFamilyRow({
  family: "formFields",
  path: "/forms/fields",
  endpoint: "/api/form/field",
  messages: "forms",
  schema: "FormField",
  member: "field",
  titleOf: ({ name }) => name,
  columns: (t) => [
    { id: "name", label: t("name"), cell: ({ name }) => name },
    { id: "key", label: t("key"), cell: ({ key }) => <code>{key}</code> },
    { id: "type", label: t("type"), cell: ({ type }) => type },
    { id: "control", label: t("control"), cell: ({ control }) => control ?? "" },
    { id: "required", label: t("required"), cell: ({ required }) => t(required ? "yes" : "no") },
  ],
  list: async (page) => listed(unwrap(await api.formFields.list({}, { signal: page.signal })).fields ?? [], page),
  siblings,
  crud: crudOf(api.formFields, "fieldId"),
  fixed: ["key"],
  initial: { type: "string", control: "text" },
  hasUsers: true,
});

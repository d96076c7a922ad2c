import { api, unwrap } from "../../app/api.js";
import { crudOf } from "../records/crud.js";
import { type AnyRecord, defineFamilyRow, type FamilyRow } from "../records/family-row.js";
import { namedColumns } from "../records/named-columns.js";
import { listed, searched, toCriteria } from "../records/pages.js";
import { codeControl, localizedControl } from "./code-controls.js";
import { EmailPreview } from "./email-preview.js";
import { MessagePreview } from "./message-preview.js";

const siblings = [
  { label: "emails", path: "/templates/email" },
  { label: "messages", path: "/templates/message" },
];

interface EmailRow extends AnyRecord {
  readonly name: string;
  readonly defaultSubject: string;
  readonly localizedHtmlTemplates: Readonly<Record<string, string>>;
  readonly lastUpdateInstant: number;
}

/** Email templates. */
export const emailTemplates: FamilyRow<EmailRow> = defineFamilyRow({
  family: "emailTemplates",
  path: "/templates/email",
  endpoint: "/api/email/template",
  messages: "templates",
  schema: "EmailTemplate",
  member: "emailTemplate",
  titleOf: ({ name }) => name,
  columns: (t) => [
    ...namedColumns(t),
    { id: "subject", label: t("subject"), cell: ({ defaultSubject }) => defaultSubject },
    { id: "locales", label: t("locales"), cell: ({ localizedHtmlTemplates }) => Object.keys(localizedHtmlTemplates).join(", ") },
  ],
  list: (page) =>
    searched(
      api.emailTemplates.search({ search: toCriteria(page, { name: page.query }) }, { signal: page.signal }),
      (found) => found.emailTemplates ?? [],
    ),
  siblings,
  crud: crudOf(api.emailTemplates, "emailTemplateId"),
  layout: (t) => [
    {
      title: t("emailTemplates.one"),
      fields: ["name", "fromEmail", "defaultFromName", "defaultSubject", "defaultHtmlTemplate", "defaultTextTemplate"],
    },
    {
      title: t("locales"),
      fields: ["localizedSubjects", "localizedFromNames", "localizedHtmlTemplates", "localizedTextTemplates"],
    },
  ],
  controls: {
    defaultHtmlTemplate: codeControl("html"),
    defaultTextTemplate: codeControl("text"),
    localizedSubjects: localizedControl("line"),
    localizedFromNames: localizedControl("line"),
    localizedHtmlTemplates: localizedControl("html"),
    localizedTextTemplates: localizedControl("text"),
  },
  beside: (shown, values) => <EmailPreview emailTemplateId={shown?.record.id} values={values} />,
  hasUsers: true,
});

interface MessageRow extends AnyRecord {
  readonly name: string;
  readonly type: string;
  readonly lastUpdateInstant: number;
}

/** Templates of text messages. */
export const messageTemplates: FamilyRow<MessageRow> = defineFamilyRow({
  family: "messageTemplates",
  path: "/templates/message",
  endpoint: "/api/message/template",
  messages: "templates",
  schema: "MessageTemplate",
  member: "messageTemplate",
  titleOf: ({ name }) => name,
  columns: (t) => [...namedColumns(t), { id: "type", label: t("type"), cell: ({ type }) => type }],
  list: async (page) => listed(unwrap(await api.messageTemplates.list({}, { signal: page.signal })).messageTemplates ?? [], page),
  siblings,
  crud: crudOf(api.messageTemplates, "messageTemplateId"),
  layout: (t) => [
    { title: t("messageTemplates.one"), fields: ["name", "type", "defaultTemplate"] },
    { title: t("locales"), fields: ["localizedTemplates"] },
  ],
  controls: { defaultTemplate: codeControl("text"), localizedTemplates: localizedControl("text") },
  beside: (_shown, values) => <MessagePreview values={values} />,
  hasUsers: true,
});

import { api, unwrap } from "../../app/api.js";
import { Badge } from "../../kit/values.js";
import { crudOf } from "./crud.js";
import { type AnyRecord, defineFamilyRow, type FamilyRow } from "./family-row.js";
import { type Named, namedColumns } from "./named-columns.js";
import { listed, searched, toCriteria } from "./pages.js";
import { ThemePreview } from "./theme-preview.js";

interface ConsentRow extends Named {
  readonly values: readonly string[];
}

/** Consents that users can give. */
export const consents: FamilyRow<ConsentRow> = defineFamilyRow({
  family: "consents",
  path: "/records/consents",
  endpoint: "/api/consent",
  messages: "records",
  schema: "Consent",
  member: "consent",
  titleOf: ({ name }) => name,
  columns: (t) => [...namedColumns(t), { id: "values", label: t("values"), cell: ({ values }) => values.join(", ") }],
  list: (page) =>
    searched(
      api.consents.search({ search: toCriteria(page, { name: page.query }) }, { signal: page.signal }),
      ({ consents: found }) => found ?? [],
    ),
  crud: crudOf(api.consents, "consentId"),
});

/** Themes of the sign-in pages. */
export const themes: FamilyRow<Named> = defineFamilyRow({
  family: "themes",
  path: "/themes",
  endpoint: "/api/theme",
  messages: "records",
  schema: "Theme",
  member: "theme",
  titleOf: ({ name }) => name,
  columns: namedColumns,
  list: (page) =>
    searched(
      api.themes.search({ search: toCriteria(page, { name: page.query }) }, { signal: page.signal }),
      ({ themes: found }) => found ?? [],
    ),
  crud: crudOf(api.themes, "themeId"),
  layout: (t) => [
    { title: t("themes.one"), fields: ["name", "title", "logoUrl", "fontFamily", "radius"] },
    { title: t("themeColors"), fields: ["colors", "darkColors"] },
    { title: t("themeTexts"), fields: ["messages"] },
  ],
  beside: (_shown, values) => <ThemePreview values={values} />,
});

interface AccessListRow extends Named {
  readonly entries: readonly unknown[];
}

/** Lists of IP addresses from which API keys are valid. */
export const accessLists: FamilyRow<AccessListRow> = defineFamilyRow({
  family: "accessLists",
  path: "/access-lists",
  endpoint: "/api/ip-acl",
  messages: "records",
  schema: "AccessList",
  member: "ipAccessControlList",
  titleOf: ({ name }) => name,
  columns: (t) => [
    ...namedColumns(t),
    { id: "entries", label: t("entries"), align: "end", cell: ({ entries }) => entries.length },
  ],
  list: (page) =>
    searched(
      api.accessLists.search({ search: toCriteria(page, { name: page.query }) }, { signal: page.signal }),
      (found) => found.ipAccessControlLists ?? [],
    ),
  crud: crudOf(api.accessLists, "ipAccessControlListId"),
  initial: { entries: [{ startIPAddress: "*", action: "Block" }] },
  hasUsers: true,
});

interface UserActionRow extends Named {
  readonly active: boolean;
  readonly temporal: boolean;
  readonly preventLogin: boolean;
}

/** Actions that moderators can take on users, such as a warning, a lock, or a reward. */
export const userActions: FamilyRow<UserActionRow> = defineFamilyRow({
  family: "userActions",
  path: "/records/user-actions",
  endpoint: "/api/user-action",
  messages: "records",
  schema: "UserAction",
  member: "userAction",
  titleOf: ({ name }) => name,
  columns: (t) => [
    ...namedColumns(t),
    {
      id: "active",
      label: t("state"),
      cell: ({ active }) => <Badge kind={active ? "good" : "warn"}>{t(active ? "active" : "inactive")}</Badge>,
    },
    { id: "preventLogin", label: t("preventLogin"), cell: ({ preventLogin }) => t(preventLogin ? "yes" : "no") },
  ],
  list: async (page) => listed(unwrap(await api.userActions.list({}, { signal: page.signal })).userActions ?? [], page),
  crud: crudOf(api.userActions, "userActionId"),
  hasUsers: true,
});

interface ReasonRow extends AnyRecord {
  readonly code: string;
  readonly text: string;
  readonly lastUpdateInstant: number;
}

/** Reasons for actions on users. */
export const userActionReasons: FamilyRow<ReasonRow> = defineFamilyRow({
  family: "userActionReasons",
  path: "/records/user-action-reasons",
  endpoint: "/api/user-action-reason",
  messages: "records",
  schema: "UserActionReason",
  member: "userActionReason",
  titleOf: ({ text }) => text,
  columns: (t) => [
    { id: "text", label: t("text"), cell: ({ text }) => text },
    { id: "code", label: t("code"), cell: ({ code }) => <code>{code}</code> },
  ],
  list: async (page) =>
    listed(unwrap(await api.userActionReasons.list({}, { signal: page.signal })).userActionReasons ?? [], page),
  crud: crudOf(api.userActionReasons, "userActionReasonId"),
});

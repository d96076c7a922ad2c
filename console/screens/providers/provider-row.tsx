import { api } from "../../app/api.js";
import { formatNumber, type Translate } from "../../kit/i18n.js";
import { Picker } from "../../kit/picker.js";
import { Badge, DateText } from "../../kit/values.js";
import { crudOf } from "../records/crud.js";
import { defineFamilyRow, type FamilyRow } from "../records/family-row.js";
import { searched, toCriteria } from "../records/pages.js";
import { toRecordTypes } from "../records/typed-form.js";
import { LinkedUsers } from "./linked-users.js";
import { LoginTest } from "./login-test.js";
import { applicationsOf, type ProviderRow } from "./provider.js";
import { toTypedRow } from "./provider-forms.js";
import { providerTypes } from "./provider-types.js";
import { SetUp } from "./set-up.js";

const rows = Object.fromEntries(Object.entries(providerTypes).map(toTypedRow));

/** Identity providers, where users log in outside of the service. */
export const providerRow: FamilyRow<ProviderRow> = defineFamilyRow({
  family: "identityProviders",
  path: "/providers",
  endpoint: "/api/identity-provider",
  messages: "providers",
  schema: "IdentityProvider",
  member: "identityProvider",
  titleOf: ({ name }) => name,
  columns,
  filters: (t) => [
    {
      id: "type",
      label: t("type"),
      options: Object.keys(providerTypes).map((value) => ({ value, label: t(`type.${value}`) })),
    },
    {
      id: "applicationId",
      label: t("application"),
      render: (value, onChange) => (
        <Picker
          family="application"
          value={value}
          onChange={onChange}
          placeholder={t("anyApplication")}
          aria-label={t("application")}
        />
      ),
    },
  ],
  list: (page) =>
    searched(
      api.identityProviders.search({ search: toCriteria(page, { name: page.query }) }, { signal: page.signal }),
      ({ identityProviders }) => identityProviders ?? [],
    ),
  crud: crudOf(api.identityProviders, "identityProviderId"),
  fixed: ["tenantId"],
  types: toRecordTypes<ProviderRow>(rows, (type, record) => <SetUp type={type} id={record?.id} />),
  tabs: ({ record }, t) => [
    { id: "test", label: t("test"), render: () => <LoginTest provider={record} /> },
    { id: "users", label: t("linkedUsers"), render: () => <LinkedUsers identityProviderId={record.id} /> },
  ],
  removal: ({ applicationConfiguration }, t) =>
    t("removeImpact", { count: Object.values(applicationConfiguration).filter(({ enabled }) => enabled).length }),
});

function columns(t: Translate) {
  return [
    { id: "name", label: t("name"), sort: "name", cell: ({ name }: ProviderRow) => name },
    { id: "type", label: t("type"), sort: "type", cell: ({ type }: ProviderRow) => t(`type.${type}`) },
    {
      id: "enabled",
      label: t("state"),
      cell: ({ enabled }: ProviderRow) => (
        <Badge kind={enabled ? "good" : "neutral"}>{t(enabled ? "enabled" : "disabled")}</Badge>
      ),
    },
    {
      id: "applications",
      label: t("applications"),
      align: "end" as const,
      cell: (provider: ProviderRow) => formatNumber(applicationsOf(provider).length),
    },
    { id: "domains", label: t("domains"), cell: ({ domains = [] }: ProviderRow) => domains.slice(0, 3).join(", ") || "–" },
    {
      id: "changed",
      label: t("changed"),
      sort: "lastUpdateInstant",
      cell: ({ lastUpdateInstant }: ProviderRow) => <DateText value={lastUpdateInstant} />,
    },
  ];
}

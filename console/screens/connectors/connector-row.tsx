import { api, unwrap } from "../../app/api.js";
import { lambdaControl } from "../../kit/record-form/lambda-control.js";
import { pairsControl } from "../../kit/record-form/pairs-control.js";
import { Badge } from "../../kit/values.js";
import { crudOf } from "../records/crud.js";
import { defineFamilyRow, type FamilyRow } from "../records/family-row.js";
import { type Named, namedColumns } from "../records/named-columns.js";
import { listed } from "../records/pages.js";
import { toRecordTypes } from "../records/typed-form.js";
import { LoginTest } from "./login-test.js";

/** A connector as the API shows it. */
export interface ConnectorRow extends Named {
  readonly type: string;
  readonly authenticationURL?: string | undefined;
}

const times = { connectTimeout: 1_000, readTimeout: 2_000 };
const timesAndDebug = ["connectTimeout", "readTimeout", "debug"];

const types = toRecordTypes<ConnectorRow>({
  LDAP: {
    sections: {
      basics: ["name"],
      directory: ["authenticationURL", "securityMethod", "sslCertificateKeyId", "systemAccountDN", "systemAccountPassword"],
      people: ["baseStructure", "loginIdAttribute", "identifyingAttribute", "requestedAttributes"],
      lambda: ["lambdaConfiguration.reconcileId"],
      calls: timesAndDebug,
    },
    initial: {
      ...times,
      securityMethod: "LDAPS",
      loginIdAttribute: "mail",
      identifyingAttribute: "entryUUID",
      requestedAttributes: ["cn", "givenName", "mail", "sn", "uid"],
    },
    controls: { "lambdaConfiguration.reconcileId": lambdaControl("LDAPConnectorReconcile") },
  },
  Generic: {
    sections: {
      basics: ["name"],
      service: [
        "authenticationURL",
        "httpAuthenticationUsername",
        "httpAuthenticationPassword",
        "headers",
        "sslCertificateKeyId",
      ],
      calls: timesAndDebug,
    },
    initial: times,
    controls: { headers: pairsControl },
  },
});

/** Connectors, which check passwords. */
export const connectorRow: FamilyRow<ConnectorRow> = defineFamilyRow({
  family: "connectors",
  path: "/connectors",
  endpoint: "/api/connector",
  messages: "connectors",
  schema: "Connector",
  member: "connector",
  titleOf: ({ name }) => name,
  columns: (t) => [
    ...namedColumns(t),
    { id: "type", label: t("type"), cell: ({ type }) => <Badge>{t(`type.${type}`)}</Badge> },
    { id: "url", label: t("url"), cell: ({ authenticationURL }) => authenticationURL ?? "–" },
  ],
  list: async (page) => listed(unwrap(await api.connectors.list({}, { signal: page.signal })).connectors ?? [], page),
  crud: crudOf(api.connectors, "connectorId"),
  types,
  isBuiltIn: ({ type }) => type === "BuiltIn",
  tabs: ({ record }, t) => [
    { id: "test", label: t("test"), render: () => <LoginTest connectorId={record.id} name={record.name} /> },
  ],
  hasUsers: true,
});

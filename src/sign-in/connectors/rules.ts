import { isLambdaTypeAllowed } from "../../availability/lambda-paths.js";
import { fieldError, invalidOption } from "../../errors/identity-error.js";
import { type Draft, type DraftContext, type Family, type OutboundUrl, toBaseRecord } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { toRecordToStore } from "../../operations/family/record-steps.js";
import type { WriteCall } from "../../operations/operation.js";
import { referencesAt } from "../../operations/references/references.js";
import { globalScope } from "../../ports/storage.js";
import { builtInConnectorId } from "../../records/connectors/built-in-connector.js";
import { connectorFamily, connectorsTable } from "../../records/connectors/family.js";
import type { Connector, ConnectorFields, ConnectorRequest, ParsedConnectorRequest } from "../../records/connectors/schema.js";
import { foldText } from "../../shared/text.js";

/** The family of connectors (docs/reference/connectors.md). */
export const connectors: Family<Connector, ParsedConnectorRequest> = {
  ...connectorFamily,
  referencesOf: referencesAt(
    "connector",
    { "lambdaConfiguration.reconcileId": "lambdas", sslCertificateKeyId: "keys" },
    isLambdaTypeAllowed,
  ),
  rules: { toDraft, outboundUrls, beforeRemove: async (_call, { id }) => assertOwn(id) },
};

function outboundUrls({ authenticationURL: url }: Connector): readonly OutboundUrl[] {
  return [{ setting: "authenticationURL", url, loss: "logs nobody in" }];
}

function assertOwn(id: string): void {
  if (id === builtInConnectorId)
    throw fieldError("invalid", "connectorId", "The built-in connector cannot be changed or removed.");
}

function toDraft(_call: WriteCall, { connector }: ParsedConnectorRequest, context: DraftContext<Connector>): Draft<Connector> {
  assertOwn(context.id);
  if (connector.type === "BuiltIn") throw invalidOption("connector.type", ["Generic", "LDAP"]);
  return toConnectorDraft({ ...toOwnFields(connector), ...toBaseRecord(context) });
}

function toConnectorDraft(record: Connector): Draft<Connector> {
  return { record, columns: { nameFolded: foldText(record.name) } };
}

// A secret for another type would stay stored without use.
function toOwnFields(fields: ConnectorFields): ConnectorFields {
  const { authenticationURL, connectTimeout, data, debug, name, readTimeout, sslCertificateKeyId, type } = fields;
  const common = { authenticationURL, connectTimeout, data, debug, name, readTimeout, sslCertificateKeyId, type };
  if (type === "Generic") {
    const { headers = {}, httpAuthenticationPassword, httpAuthenticationUsername } = fields;
    return { ...common, headers, httpAuthenticationPassword, httpAuthenticationUsername };
  }
  const { baseStructure, identifyingAttribute, lambdaConfiguration, loginIdAttribute, requestedAttributes } = fields;
  const { securityMethod = "None", systemAccountDN, systemAccountPassword } = fields;
  const search = { baseStructure, identifyingAttribute, lambdaConfiguration, loginIdAttribute, requestedAttributes };
  return { ...common, ...search, securityMethod, systemAccountDN, systemAccountPassword };
}

/** The built-in connector, which checks the passwords that the service stores. */
export const makeBuiltIn: FamilyRulesModule["makeBuiltIn"] = async (tx, { runtime }) => {
  const now = runtime.clock();
  const named = { id: builtInConnectorId, name: "Default", type: "BuiltIn" } as const;
  const draft = toConnectorDraft({ ...named, data: {}, debug: false, insertInstant: now, lastUpdateInstant: now });
  await tx.insert(globalScope, connectorsTable, [toRecordToStore(draft, null, 1)]);
};

export const example: FamilyExample<ConnectorRequest> = ({ number }) => ({
  connector: {
    name: `Connector ${number}`,
    type: "Generic",
    authenticationURL: "https://example.com/authenticate",
    connectTimeout: 1_000,
    readTimeout: 2_000,
  },
});

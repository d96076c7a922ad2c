import { builtInConnectorId } from "../../records/connectors/built-in-connector.js";
import type { ConnectorPolicy, Tenant } from "../../records/tenants/schema.js";
import type { User } from "../../records/users/schema.js";
import { foldDomain } from "../../shared/email-address.js";

const builtInAlone: readonly ConnectorPolicy[] = [{ connectorId: builtInConnectorId, domains: ["*"], migrate: false }];

/** The connectors that check the passwords of a tenant, in order. Earlier releases stored no policies. */
function policiesOf({ connectorPolicies = [] }: Partial<Tenant>): readonly ConnectorPolicy[] {
  return connectorPolicies.length === 0 ? builtInAlone : connectorPolicies;
}

/** Whether the service itself checks all passwords of a tenant: the default without policies. */
export function hasBuiltInOnly(tenant: Partial<Tenant>): boolean {
  const [first] = policiesOf(tenant);
  return first?.connectorId === builtInConnectorId && first.domains.includes("*") && policiesOf(tenant).length === 1;
}

/** The policies for a login id. Only their connectors may see its password. */
export function findPolicies(tenant: Partial<Tenant>, loginId: string): readonly ConnectorPolicy[] {
  return policiesOf(tenant).filter((policy) => isOfPolicy(policy, loginId));
}

/** Whether a policy is for a login id: its connector does not check addresses of other domains. */
export function isOfPolicy({ domains }: ConnectorPolicy, loginId: string): boolean {
  const domain = loginId.includes("@") ? foldDomain(loginId.slice(loginId.lastIndexOf("@") + 1)) : undefined;
  return domains.some((name) => name === "*" || foldDomain(name) === domain);
}

/** Whether another system checks the password of a user, so that it cannot be changed or reset here. */
export function hasExternalPassword({ connectorId }: Pick<User, "connectorId">): boolean {
  return connectorId !== builtInConnectorId;
}

import { generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { findPolicies } from "../../people/passwords/policies.js";
import type { StoredRecord } from "../../ports/storage.js";
import { builtInConnectorId } from "../../records/connectors/built-in-connector.js";
import type { ConnectorPolicy } from "../../records/tenants/schema.js";
import type { User } from "../../records/users/schema.js";
import { callConnector } from "./call-connector.js";
import { type CheckedLogin, checkStored, type PasswordLogin } from "./check-stored.js";
import { reconcileUser } from "./reconcile-user.js";

/**
 * Checks a password by the tenant's policies (docs/reference/connectors.md#policies). A known user's password goes only to the
 * user's connector. An unknown user's goes to the connectors with matching policies, in order.
 */
export async function checkByPolicies(call: OperationCall, login: PasswordLogin): Promise<CheckedLogin> {
  const { place, loginId, user } = login;
  const known = user && parseRecord<User>(user);
  const own = known?.connectorId;
  const fitting = findPolicies(place.tenant, loginId).filter(({ connectorId }) => own === undefined || connectorId === own);
  // Of several policies for one connector, the first applies.
  const asked = fitting.filter((policy, index) => fitting.findIndex((one) => one.connectorId === policy.connectorId) === index);
  let isUnavailable = false;
  for (const policy of asked) {
    const checked = await checkBy(call, policy, login);
    const isRight = checked.kind === "accepted" || checked.kind === "stored";
    if (isRight) return known?.active === false ? { kind: "wrong" } : checked;
    isUnavailable ||= checked.kind === "unavailable";
  }
  return { kind: isUnavailable ? "unavailable" : "wrong" };
}

async function checkBy(call: OperationCall, policy: ConnectorPolicy, login: PasswordLogin): Promise<CheckedLogin> {
  const { connectorId } = policy;
  if (connectorId === builtInConnectorId) return checkStored(call, login);
  if (!call.service.availability.isLicensed("connector")) return { kind: "wrong" };
  const outcome = await callConnector(call, { connectorId, loginId: login.loginId, password: login.password });
  return outcome.kind === "right" ? { kind: "accepted", policy, accepted: outcome } : outcome;
}

/**
 * The user of a checked password; undefined for a wrong one, and when the connector's user cannot log in with it.
 * @throws IdentityError 502 `[connectorUnavailable]`; 400 `[LambdaFailed]`.
 */
export async function findCheckedUser(
  call: OperationCall,
  login: PasswordLogin,
  checked: CheckedLogin,
): Promise<StoredRecord | undefined> {
  if (checked.kind === "unavailable") throw generalError("connectorUnavailable");
  if (checked.kind === "stored") return checked.user;
  return checked.kind === "accepted" ? reconcileUser(call, login, checked) : undefined;
}

import { generalError, IdentityError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { runLambda } from "../../lambdas/run/run-lambda.js";
import { parseRecord } from "../../operations/family/family.js";
import { parseRequest } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { isOfPolicy } from "../../people/passwords/policies.js";
import { presentUser } from "../../people/relations/present-user.js";
import { users } from "../../people/users/rules.js";
import { withoutSecrets } from "../../people/users/user-draft.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { ConnectorPolicy } from "../../records/tenants/schema.js";
import type { ParsedUserRequest, User } from "../../records/users/schema.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { findUnsafeValue } from "../../shared/find-unsafe-value.js";
import { toLambdaContext } from "../steps/lambda-context.js";
import { recordConnectorFailure, type VerifiedPassword } from "./call-connector.js";

type Members = Readonly<Record<string, unknown>>;

/** The user data of a connector, the known user, and the login's tenant and application. */
export interface DescribedUser {
  readonly accepted: VerifiedPassword;
  /** Undefined for a new user. */
  readonly before: StoredRecord | undefined;
  readonly id: string | undefined;
  readonly place: LoginScope;
  readonly policy: ConnectorPolicy;
}

/** The request for the user, and the user data of the connector and its lambda. */
export interface ConnectorUserRequest {
  readonly request: ParsedUserRequest;
  readonly said: Members;
}

/**
 * Converts a connector's user to a request: the stored fields, overridden by the connector and its lambda.
 * @throws IdentityError 400 `[LambdaFailed]`, or 502 `[connectorUnavailable]`, for invalid user data.
 */
export async function toUserRequest(call: OperationCall, described: DescribedUser): Promise<ConnectorUserRequest> {
  const { accepted, before } = described;
  const { connector, answer } = accepted;
  const unsafe = findUnsafeValue([answer.user, answer.attributes ?? {}]);
  if (unsafe !== undefined) return refuse(call, described, "the answer holds what cannot be stored.");
  const known = before === undefined ? { data: {} } : toFields(parseRecord<User>(before));
  const said = { ...known, ...answer.user };
  const { reconcileId } = connector.lambdaConfiguration ?? {};
  const user = reconcileId === undefined ? said : await reconcile(call, { ...described, reconcileId, said });
  try {
    const request = await parse(call, user);
    const { email, phoneNumber } = request.user;
    const isOfDomains = email !== undefined && isOfPolicy(described.policy, email);
    const vouched = { reason: "Trusted", loginIds: [isOfDomains ? email : undefined, phoneNumber] } as const;
    return { request: { ...request, vouched }, said: user };
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return refuse(call, described, `it describes no user: ${Object.keys(error.fieldErrors).join(", ")}.`);
  }
}

/** Whether a request changes nothing of a user. */
export async function isUnchanged(call: OperationCall, before: StoredRecord, { user }: ParsedUserRequest): Promise<boolean> {
  const same = await parse(call, toFields(parseRecord<User>(before)));
  return toCanonicalJson(same.user) === toCanonicalJson(user);
}

// Data of the other system needs no verification.
function parse(call: OperationCall, user: Members): Promise<ParsedUserRequest> {
  const { passwordChangeRequired: _its, tenantId: _fixed, verified: _vouched, ...fields } = withoutSecrets(user);
  return parseRequest(call, users, { user: fields, skipVerification: true });
}

function toFields({
  memberships: _memberships,
  registrations: _registrations,
  identities: _identities,
  ...fields
}: User): Members {
  return fields;
}

const noRelations: Members = Object.freeze({ memberships: [], registrations: [] });

interface Reconciling extends DescribedUser {
  readonly reconcileId: string;
  readonly said: Members;
}

async function reconcile(call: OperationCall, { accepted, before, id, place, reconcileId, said }: Reconciling): Promise<Members> {
  const { answer, connector } = accepted;
  const shown: Members =
    before === undefined ? { active: true, id, ...noRelations } : JSON.parse(await presentUser(call, before));
  const user = { ...shown, ...said, connectorId: connector.id, id, tenantId: place.tenant.id };
  const given = { user, userAttributes: answer.attributes ?? {}, context: toLambdaContext(call, place, {}) };
  const type = "LDAPConnectorReconcile";
  const changed = await runLambda(call, { lambdaId: reconcileId, type, tenantId: place.tenant.id, arguments: given });
  return changed.user as Members;
}

async function refuse(call: OperationCall, { accepted: { connector } }: DescribedUser, reason: string): Promise<never> {
  await recordConnectorFailure(call, connector, reason);
  throw generalError(connector.type === "LDAP" ? "LambdaFailed" : "connectorUnavailable");
}

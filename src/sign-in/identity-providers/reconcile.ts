import { parseWith } from "../../http/schema/parse-with.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { runLambda } from "../../lambdas/run/run-lambda.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { presentUser } from "../../people/relations/present-user.js";
import type { ProviderUser } from "../../ports/sign-in.js";
import type { StoredRecord } from "../../ports/storage.js";
import { identityProviderTypeRows } from "../../records/identity-providers/types.js";
import { registrationFamily } from "../../records/registrations/family.js";
import type { ParsedRegistrationRequest } from "../../records/registrations/schema.js";
import type { ParsedUserRequest, Registration, User } from "../../records/users/schema.js";
import { findRegistration } from "../../sessions/subjects/token-subject.js";
import { toLambdaContext } from "../steps/lambda-context.js";
import type { Account } from "./find-account.js";
import type { LoginContext } from "./find-provider.js";
import { parseUser, toNewUserRequest } from "./new-user.js";

/** The user and registration after a login. Undefined: unchanged. */
export interface ReconciledLogin {
  readonly account: Exclude<Account, { readonly kind: "pending" }>;
  readonly registration: { readonly request: ParsedRegistrationRequest; readonly stored: StoredRecord | undefined } | undefined;
  readonly user: ParsedUserRequest | undefined;
  readonly userId: string;
}

interface Subject {
  readonly registration: Partial<Registration> | undefined;
  readonly storedRegistration: StoredRecord | undefined;
  readonly user: Partial<User>;
  readonly request: ParsedUserRequest | undefined;
}

/**
 * Runs the provider's lambda, which may change the user and the registration of a login
 * (docs/reference/identity-providers.md#reconcile-lambdas). It runs before the transaction, so that its failure is recorded even
 * when the login fails. Links without a login id run no lambda.
 * @throws IdentityError 400 `[LambdaFailed]`, and for invalid members that the lambda set.
 */
export async function reconcile(
  call: OperationCall,
  context: LoginContext,
  { account, userId, who }: Pick<ReconciledLogin, "account" | "userId"> & { readonly who: ProviderUser },
): Promise<ReconciledLogin> {
  const subject = await findSubject(call, context, { account, userId, who });
  const { provider } = context;
  const { reconcileId } = provider.lambdaConfiguration;
  const changed =
    reconcileId === undefined || provider.linkingStrategy === "LinkAnonymously"
      ? subject
      : await runReconcile(call, context, { lambdaId: reconcileId, subject, who });
  const { registration, user } = await toRequests(subject, changed);
  return { account, registration, user, userId };
}

async function findSubject(
  call: OperationCall,
  { configuration, place }: LoginContext,
  { account, userId, who }: Pick<ReconciledLogin, "account" | "userId"> & { readonly who: ProviderUser },
): Promise<Subject> {
  const applicationId = place.application?.id ?? "";
  const tenantId = place.tenant.id;
  const stored = account.kind === "new" ? undefined : account.user;
  const storedRegistration = stored && (await findRegistration(call, { id: userId, tenantId }, applicationId));
  const known = storedRegistration && parseRecord<Registration>(storedRegistration);
  const draft = configuration.createRegistration ? { applicationId, data: {}, preferredLanguages: [], roles: [] } : undefined;
  const registration = known ?? draft;
  if (stored !== undefined) {
    const user = JSON.parse(await presentUser(call, stored)) as User;
    return { registration, storedRegistration, user, request: undefined };
  }
  const request = await toNewUserRequest(who, account as Account & { readonly kind: "new" });
  const fields = { ...request.user, id: userId, tenantId, active: true, memberships: [], registrations: [] };
  return { registration, storedRegistration, user: fields as Partial<User>, request };
}

interface LambdaInput {
  readonly lambdaId: string;
  readonly subject: Subject;
  readonly who: ProviderUser;
}

async function runReconcile(
  call: OperationCall,
  { place, provider }: LoginContext,
  { lambdaId, subject, who }: LambdaInput,
): Promise<Pick<Subject, "registration" | "user">> {
  const { id, name, type } = provider;
  const shown = { identityProvider: { id, name, identityProviderType: type } };
  const context = toLambdaContext(call, place, shown);
  const given = { ...who.lambdaArguments, context, registration: subject.registration, user: subject.user };
  const { lambda } = identityProviderTypeRows[type];
  const changed = await runLambda(call, { lambdaId, type: lambda, tenantId: place.tenant.id, arguments: given });
  return { registration: changed.registration as Subject["registration"], user: changed.user as Subject["user"] };
}

async function toRequests(
  before: Subject,
  changed: Pick<Subject, "registration" | "user">,
): Promise<Pick<ReconciledLogin, "registration" | "user">> {
  const isChanged = (left: unknown, right: unknown): boolean => toCanonicalJson([left]) !== toCanonicalJson([right]);
  const isNew = before.request !== undefined;
  const user = isNew || isChanged(before.user, changed.user) ? await parseUser({ ...changed.user }) : undefined;
  if (before.registration === undefined) return { user, registration: undefined };
  const isSame = before.storedRegistration !== undefined && !isChanged(before.registration, changed.registration);
  if (isSame) return { user, registration: undefined };
  const request = await parseWith(registrationFamily.request, { registration: changed.registration });
  return { user, registration: { request, stored: before.storedRegistration } };
}

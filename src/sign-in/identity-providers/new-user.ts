import { IdentityError } from "../../errors/identity-error.js";
import { parseWith } from "../../http/schema/parse-with.js";
import { withoutSecrets } from "../../people/users/user-draft.js";
import type { ProviderUser } from "../../ports/sign-in.js";
import { userFamily } from "../../records/users/family.js";
import type { ParsedUserRequest } from "../../records/users/schema.js";
import type { Account } from "./find-account.js";

/** The members of a new user that come from the provider. */
const profileMembers: ReadonlySet<string> = new Set([
  ...["birthDate", "data", "firstName", "fullName", "imageUrl", "lastName", "middleName", "mobilePhone"],
  ...["preferredLanguages", "timezone"],
]);

/**
 * Converts a provider's user to a request without a password. Leaves out invalid members; refuses invalid login ids.
 * @throws IdentityError 400.
 */
export async function toNewUserRequest(
  who: ProviderUser,
  { loginIds }: Account & { readonly kind: "new" },
): Promise<ParsedUserRequest> {
  const known = Object.entries(who.profile).filter(([name]) => profileMembers.has(name));
  const isVerified = loginIds.email === undefined || who.isEmailVerified;
  const toUser = (members: readonly (readonly [string, unknown])[]): object => ({
    ...Object.fromEntries(members),
    ...loginIds,
    verified: isVerified,
  });
  try {
    return await parseUser(toUser(known));
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const paths = Object.keys(error.fieldErrors);
    return parseUser(toUser(known.filter(([name]) => !paths.some((path) => isAt(path, `user.${name}`)))));
  }
}

function isAt(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);
}

const placeholder = "anonymous";

/** Parses a user request; unlike the API, accepts a user without any login id. */
export async function parseUser(user: object): Promise<ParsedUserRequest> {
  const { email, username, ...members } = withoutSecrets(user as { readonly [name: string]: unknown });
  const isAnonymous = isBlank(email) && isBlank(username);
  const loginIds = isAnonymous ? { username: placeholder } : { email, username };
  const request = await parseWith(userFamily.request, { user: { ...members, ...loginIds } });
  return isAnonymous ? { ...request, user: { ...request.user, username: undefined } } : request;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

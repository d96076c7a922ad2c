import { FieldErrorList } from "../../errors/identity-error.js";
import type { ImportOptions, ParsedImportedUser } from "../../resources/bulk-users/schema.js";
import { normalizePassword } from "../../security/normalize-password.js";
import type { Passwords } from "../../security/password.js";
import { parseHash } from "../../security/password-hashes/parse-hash.js";
import { hashWithScheme, isWithinScheme, toHashText } from "../../security/password-hashes/schemes.js";
import { inChunks } from "../../shared/in-steps.js";

/** A password that no login takes, because logins take none that are longer. */
const maxLength = 256;

/** How many passwords are hashed at once: others can log in meanwhile. */
const hashesAtOnce = 2;

/**
 * The hashes of users in the order of the body; undefined for a user without a password. Plain-text passwords are hashed beside the event
 * loop. Neither hashes nor passwords stand in errors, which begin with the paths of the users.
 * @throws IdentityError 400 for a hash that is not understood or takes too long to check.
 */
export async function toPasswordHashes(
  users: readonly ParsedImportedUser[],
  options: ImportOptions,
  { passwords, pathOf }: { readonly passwords: Passwords; readonly pathOf: (index: number) => string },
): Promise<readonly (string | undefined)[]> {
  const errors = new FieldErrorList();
  const hashes: (string | undefined)[] = [];
  await inChunks(users, (chunk) => {
    for (const user of chunk) hashes.push(hostHash(user, passwords) ?? readHash(user, pathOf(hashes.length), errors));
  });
  errors.throwIfAny();
  await assertHashOptions(options);
  const plain = [...users.entries()].filter(([index, { password }]) => password !== undefined && hashes[index] === undefined);
  const hashNext = async (): Promise<void> => {
    for (let next = plain.pop(); next !== undefined; next = plain.pop()) {
      const [index, { password = "" }] = next;
      const { encryptionScheme, factor } = options;
      hashes[index] = await (encryptionScheme === undefined || !isWithinScheme(password, encryptionScheme)
        ? passwords.hash(password)
        : hashWithScheme(normalizePassword(password), encryptionScheme, factor));
    }
  };
  await Promise.all(Array.from({ length: hashesAtOnce }, hashNext));
  return hashes;
}

/** Asserts that passwords can be hashed so, before anything is: a wrong factor is one mistake of the whole body. */
export async function assertHashOptions(options: ImportOptions): Promise<void> {
  const errors = new FieldErrorList();
  const { encryptionScheme, factor } = options;
  const isKnown =
    encryptionScheme === undefined ? factor === undefined : (await hashWithScheme("", encryptionScheme, factor)) !== undefined;
  if (!isKnown)
    errors.add(encryptionScheme === undefined ? "missing" : "invalid", encryptionScheme ? "factor" : "encryptionScheme");
  errors.throwIfAny();
}

function hostHash({ passwordHash = "" }: ParsedImportedUser, passwords: Passwords): string | undefined {
  return passwords.isOfHost(passwordHash) ? passwordHash : undefined;
}

// Undefined for a plain-text password, or none.
function readHash(user: ParsedImportedUser, place: string, errors: FieldErrorList): string | undefined {
  const { encryptionScheme, factor, password, passwordHash, salt } = user;
  const given = passwordHash ?? (encryptionScheme === undefined ? undefined : password);
  if (given === undefined) {
    if (password !== undefined && password.length > maxLength) errors.add("tooLong", `${place}.password`);
    else if (password !== undefined && parseHash(password) !== undefined)
      errors.add("invalid", `${place}.password`, "This is a hash. Pass it as [passwordHash].");
    return undefined;
  }
  const path = `${place}.${passwordHash === undefined ? "password" : "passwordHash"}`;
  if (parseHash(given) !== undefined) return given;
  if (passwordHash === undefined && encryptionScheme !== undefined) {
    const text = toHashText({ encryptionScheme, factor: toNumber(factor), salt: salt ?? "", hash: given });
    if (text !== undefined) return text;
  }
  errors.add("invalid", path, "This is no hash of a known format, or one whose factor is too high.");
  return undefined;
}

function toNumber(factor: unknown): number | undefined {
  return factor === undefined ? undefined : Number(factor);
}

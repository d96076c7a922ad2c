import { FieldErrorList } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ImportOptions, ParsedImportedUser } from "../../records/bulk-users/schema.js";
import { isHash, isUsableHash } from "../../security/password-hashes/is-hash.js";
import { normalizePassword } from "../../security/password-hashes/normalize-password.js";
import type { Passwords } from "../../security/password-hashes/password.js";
import { describeFactors, isWithinScheme, needsSalt, toHashText } from "../../security/password-hashes/schemes.js";
import { inChunks } from "../../shared/in-steps.js";

const noHash = "This is no hash of a known format, or one whose factor is too high.";

/** Few, so that logins are processed meanwhile. */
const hashesAtOnce = 2;

/**
 * Returns the hashes of users in the order of the body; undefined for a user without a password. Plain-text passwords are hashed
 * off the event loop. Errors begin with the paths of the users, and contain neither hashes nor passwords.
 * @throws IdentityError 400 for an unknown or too expensive hash.
 */
export async function toPasswordHashes(
  { service }: OperationCall,
  users: readonly ParsedImportedUser[],
  options: ImportOptions,
  pathOf: (index: number) => string,
): Promise<readonly (string | undefined)[]> {
  const { accounts, runtime } = service;
  const { passwords } = accounts;
  const errors = new FieldErrorList();
  const hashes: (string | undefined)[] = [];
  await inChunks(runtime, users, (chunk) => {
    for (const user of chunk) hashes.push(readHash(user, passwords, { errors, place: pathOf(hashes.length) }));
  });
  errors.throwIfAny();
  await assertHashOptions(passwords, options);
  const plain = [...users.entries()].filter(([index, { password }]) => password !== undefined && hashes[index] === undefined);
  const hashNext = async (): Promise<void> => {
    for (let next = plain.pop(); next !== undefined; next = plain.pop()) {
      const [index, { password = "" }] = next;
      const { encryptionScheme, factor } = options;
      hashes[index] = await (encryptionScheme === undefined || !isWithinScheme(password, encryptionScheme)
        ? passwords.hash(password)
        : passwords.hashWithScheme(normalizePassword(password), encryptionScheme, factor));
    }
  };
  await Promise.all(Array.from({ length: hashesAtOnce }, hashNext));
  return hashes;
}

/** Checks the hash options before any password is hashed: a wrong factor is one error for the whole body. */
export async function assertHashOptions(passwords: Passwords, options: ImportOptions): Promise<void> {
  const errors = new FieldErrorList();
  const { encryptionScheme, factor } = options;
  if (encryptionScheme === undefined) {
    if (factor !== undefined) errors.add("missing", "encryptionScheme");
  } else if ((await passwords.hashWithScheme("", encryptionScheme, factor)) === undefined)
    errors.add("invalid", "factor", describeFactors(encryptionScheme));
  errors.throwIfAny();
}

interface Place {
  readonly errors: FieldErrorList;
  readonly place: string;
}

// Undefined for a plain-text password, or none.
function readHash(user: ParsedImportedUser, passwords: Passwords, { errors, place }: Place): string | undefined {
  const { encryptionScheme, password, passwordHash } = user;
  if (passwordHash !== undefined) {
    if (isUsableHash(passwordHash, passwords)) return passwordHash;
    errors.add("invalid", `${place}.passwordHash`, noHash);
  } else if (password !== undefined && encryptionScheme !== undefined) {
    if (isUsableHash(password, passwords)) return password;
    return readParts({ ...user, encryptionScheme, password }, { errors, place });
  } else if (password !== undefined && isHash(password, passwords))
    errors.add("invalid", `${place}.password`, "This is a hash. Pass it as [passwordHash].");
  return undefined;
}

type HashInParts = ParsedImportedUser & Pick<Required<ParsedImportedUser>, "encryptionScheme" | "password">;

function readParts({ encryptionScheme, factor, password, salt }: HashInParts, { errors, place }: Place): string | undefined {
  const text = toHashText({ encryptionScheme, factor: toNumber(factor), salt: salt ?? "", hash: password });
  if (text !== undefined) return text;
  if ((salt ?? "") === "" && needsSalt(encryptionScheme))
    errors.add("missing", `${place}.salt`, `A hash of [${encryptionScheme}] in parts needs its [salt].`);
  else errors.add("invalid", `${place}.password`, `${noHash} ${describeFactors(encryptionScheme)}`);
  return undefined;
}

function toNumber(factor: unknown): number | undefined {
  return factor === undefined ? undefined : Number(factor);
}

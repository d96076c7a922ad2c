import type { CookieSettings } from "../http/authenticate/cookies.js";
import { assertCors, type CorsOptions } from "../http/transport/cors.js";
import type { AccountFlows, ImportJobLimits, LocateAddress, PasswordStrength } from "../operations/service-context.js";
import type { Names } from "../ports/names.js";
import type { PasskeyVerifier } from "../ports/passkeys.js";
import type { PasswordHasher, Runtime } from "../ports/runtime.js";
import { type HostScheme, toHostPasswords } from "../security/password-hashes/host-passwords.js";
import { createPasswords, defaultHashOptions, type HashOptions } from "../security/password-hashes/password.js";
import { isCertificatePem, isHttpUrl, isPossibleLink, toCanonicalUrl } from "../shared/http.js";
import { assertKnownOptions, type OptionNames } from "../shared/known-options.js";
import { parseUuid } from "../shared/text.js";

/** The cookies that a login sets: always HttpOnly. */
export interface CookieOptions {
  /** Sent over TLS only. Default true; browsers take `http://localhost` for safe. */
  readonly secure?: boolean | undefined;
  /** Whether requests that other sites cause carry them. Default `Lax`; `None` needs `secure`. */
  readonly sameSite?: "Strict" | "Lax" | "None" | undefined;
  /** The domain whose hosts get them. Default: this host and no other. */
  readonly domain?: string | undefined;
  /** Default `/`. */
  readonly path?: string | undefined;
}

/** The id of the entity that stands for this API where the host names none: the same in every storage. */
export const defaultApiEntityId = "b7d5a0c2-43f1-4e8e-9c16-5a2f0e7d3b94";

const wordNames: OptionNames<Names> = { broker: "text", moderation: "text", service: "text", sms: "text" };
const cookieNames: OptionNames<CookieOptions> = { domain: "text", path: "text", sameSite: "text", secure: "boolean" };

/** The words for vendors, all of them. @throws TypeError when one is no word, or two of those that stand side by side are the same. */
export function toNames(names: Partial<Names> | undefined): Names {
  assertKnownOptions<Partial<Names>>("names", names, wordNames);
  const all = { service: "Service", moderation: "moderation", broker: "broker", sms: "sms", ...names };
  for (const [word, name] of Object.entries(all))
    if (!/^[A-Za-z][A-Za-z0-9]{0,40}$/.test(name)) throw new TypeError(`names.${word} must be a word of letters and digits.`);
  // They stand side by side in one object.
  if (new Set([all.moderation, all.broker, all.sms]).size < 3)
    throw new TypeError("names.moderation, names.broker and names.sms must differ.");
  return Object.freeze(all);
}

/** How the cookies of a login are set. @throws TypeError when browsers would not take such cookies. */
export function toCookieSettings(options: CookieOptions = {}): CookieSettings {
  assertKnownOptions("cookies", options, cookieNames);
  const { secure = true, sameSite = "Lax", domain, path = "/" } = options;
  if (!["Strict", "Lax", "None"].includes(sameSite)) throw new TypeError("cookies.sameSite must be Strict, Lax or None.");
  // Browsers drop such cookies without a word.
  if (sameSite === "None" && !secure) throw new TypeError("cookies.sameSite None needs cookies.secure.");
  if (domain !== undefined && !/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(domain))
    throw new TypeError("cookies.domain must be the name of a domain.");
  if (!/^\/[!-:<-~]*$/.test(path)) throw new TypeError("cookies.path must begin with a slash.");
  return Object.freeze({ secure, sameSite, domain, path });
}

/** The origins whose pages may use cookies: those that the host names, and that of the service's own URL. @throws TypeError for what is none. */
export function toOrigins({
  cors,
  trustedOrigins = [],
  publicUrl,
}: {
  readonly cors?: CorsOptions | undefined;
  readonly trustedOrigins?: readonly string[] | undefined;
  readonly publicUrl?: string | undefined;
}): readonly string[] {
  for (const origin of trustedOrigins)
    if (!isPossibleLink(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new TypeError(`trustedOrigins holds ${origin}, which is no origin such as https://app.example.com.`);
  assertCors(cors);
  const ofCors = cors?.credentials === true ? [cors.origins].flat() : [];
  return [...trustedOrigins, ...ofCors, ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin])];
}

/** The root of the service as clients call it, in its canonical form without a slash at its end. @throws TypeError for anything else. */
export function toPublicUrl(text: string): string {
  if (!isHttpUrl(text) || /[?#]/.test(text))
    throw new TypeError("publicUrl must be a URL like https://id.example.com/identity, without query and fragment.");
  return toCanonicalUrl(text);
}

/** The id of the entity that stands for this API. @throws TypeError when it is no UUID. */
export function toApiEntityId(id: string | undefined): string {
  const parsed = parseUuid(id ?? defaultApiEntityId);
  if (parsed === undefined) throw new TypeError("apiEntityId must be a UUID.");
  return parsed;
}

/** A number that counts something. @throws TypeError naming the option. */
export function positive(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value <= 0) throw new TypeError(`${name} must be a positive whole number.`);
  return value;
}

const minApiKeyLength = 32;

/** Whether the bootstrap key is short enough to be guessed, and the host did not allow that. @throws TypeError where such a key must not be used. */
export function isWeakApiKey({ apiKey, allowWeakApiKey = false }: WeakKeyOptions): boolean {
  if (apiKey === "") throw new TypeError("apiKey must not be empty: pass at least 32 random characters.");
  const isWeak = typeof apiKey === "string" && apiKey.length < minApiKeyLength && !allowWeakApiKey;
  if (isWeak && process.env.NODE_ENV === "production")
    throw new TypeError(
      `apiKey must have at least ${minApiKeyLength} characters in production. Pass a longer one, or allowWeakApiKey: true.`,
    );
  return isWeak;
}

interface WeakKeyOptions {
  readonly apiKey?: string | ((value: string) => void) | undefined;
  readonly allowWeakApiKey?: boolean | undefined;
}

/** The certificates that an option holds. @throws TypeError for anything but X.509 in PEM. */
export function toCertificates(option: string, given: string | readonly string[] = []): readonly string[] {
  const certificates = [given].flat();
  if (!certificates.every(isCertificatePem))
    throw new TypeError(`${option} must hold X.509 certificates in PEM, and nothing else.`);
  return certificates;
}

type PasswordHashing = Partial<HashOptions> & { readonly allowWeak?: boolean | undefined };

/** What the options say about account flows. */
interface AccountOptions {
  readonly breachDetection?: { readonly pairRangeUrl?: string | undefined; readonly rangeUrl?: string | undefined } | undefined;
  readonly locateAddress?: LocateAddress | undefined;
  readonly passkeys?: PasskeyVerifier | undefined;
  readonly passwordHasher?: PasswordHasher | undefined;
  readonly passwordHashing?: PasswordHashing | undefined;
  readonly passwordSchemes?: Readonly<Record<string, HostScheme>> | undefined;
  readonly passwordStrength?: PasswordStrength | undefined;
  readonly publicUrl?: string | undefined;
  readonly revealUnknownUsers?: boolean | undefined;
}

const breachNames: OptionNames<NonNullable<AccountOptions["breachDetection"]>> = { pairRangeUrl: "text", rangeUrl: "text" };
const hashingNames: OptionNames<PasswordHashing> = { allowWeak: "boolean", memoryKib: "number", passes: "number" };
const strengthNames: OptionNames<PasswordStrength> = { minimumScore: "number", score: "function" };

/** What the host says about account flows. @throws TypeError for a range service that is not at an http or https URL, and for a score that nobody can reach. */
export function toAccountFlows(options: AccountOptions, runtime: Runtime): AccountFlows {
  const {
    breachDetection = {},
    locateAddress,
    passkeys,
    passwordHashing,
    passwordSchemes,
    passwordStrength,
    publicUrl,
  } = options;
  assertKnownOptions("breachDetection", breachDetection, breachNames);
  return {
    breachPairRangeUrl: toRangeUrl("pairRangeUrl", breachDetection.pairRangeUrl),
    breachRangeUrl: toRangeUrl("rangeUrl", breachDetection.rangeUrl),
    locateAddress,
    passkeys,
    passwords: createPasswords({
      cost: toHashOptions(passwordHashing),
      hasher: options.passwordHasher,
      host: passwordSchemes && toHostPasswords(passwordSchemes, runtime),
      random: runtime.random,
    }),
    passwordStrength: passwordStrength && toStrength(passwordStrength),
    publicUrl: publicUrl === undefined ? undefined : toPublicUrl(publicUrl),
    revealsUnknownUsers: options.revealUnknownUsers ?? false,
  };
}

// More would let one login take the memory of the process.
const maxHashOptions: HashOptions = { memoryKib: 1_048_576, passes: 100 };

function toHashOptions(options: PasswordHashing = {}): HashOptions {
  assertKnownOptions("passwordHashing", options, hashingNames);
  const { allowWeak = false, ...given } = options;
  const cost = { memoryKib: given.memoryKib ?? defaultHashOptions.memoryKib, passes: given.passes ?? defaultHashOptions.passes };
  const least: HashOptions = allowWeak ? { memoryKib: 8, passes: 1 } : defaultHashOptions;
  for (const name of ["memoryKib", "passes"] as const)
    if (!Number.isInteger(cost[name]) || cost[name] < least[name] || cost[name] > maxHashOptions[name])
      throw new TypeError(
        `passwordHashing.${name} must be a whole number from ${least[name]} to ${maxHashOptions[name]}${allowWeak ? "" : "; in tests, allowWeak: true accepts less"}.`,
      );
  return cost;
}

function toRangeUrl(name: string, url: string | undefined): string | undefined {
  if (url !== undefined && !isHttpUrl(url))
    throw new TypeError(
      `breachDetection.${name} must be a URL like https://ranges.example.com/range, without user name and password.`,
    );
  return url?.replace(/\/+$/, "");
}

function toStrength(options: PasswordStrength): NonNullable<AccountFlows["passwordStrength"]> {
  assertKnownOptions("passwordStrength", options, strengthNames);
  const { minimumScore = 3, score } = options;
  if (typeof score !== "function") throw new TypeError("passwordStrength.score must be a function.");
  if (!(minimumScore >= 0 && minimumScore <= 4)) throw new TypeError("passwordStrength.minimumScore must be from 0 to 4.");
  return { minimumScore, score };
}

const importJobDefaults: ImportJobLimits = {
  keepMilliseconds: 7 * 24 * 3_600_000,
  maxBytes: 4_294_967_296,
  maxLineBytes: 1_048_576,
  maxOpenJobs: 10,
  maxRows: 20_000_000,
};

const importJobNames: OptionNames<ImportJobLimits> = {
  keepMilliseconds: "number",
  maxBytes: "number",
  maxLineBytes: "number",
  maxOpenJobs: "number",
  maxRows: "number",
};

/** The limits of import jobs. @throws TypeError for one that is no positive number. */
export function toImportJobLimits(options: Partial<ImportJobLimits> = {}): ImportJobLimits {
  assertKnownOptions<Partial<ImportJobLimits>>("importJobs", options, importJobNames);
  const limits = { ...importJobDefaults, ...options };
  for (const [name, value] of Object.entries(limits)) positive(`importJobs.${name}`, value);
  return Object.freeze(limits);
}

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

/** Options of the login cookies, which are always HttpOnly. */
export interface CookieOptions {
  /** Sent over TLS only. Default true; browsers treat `http://localhost` as secure. */
  readonly secure?: boolean | undefined;
  /** Whether cross-site requests carry them. Default `Lax`; `None` needs `secure`. */
  readonly sameSite?: "Strict" | "Lax" | "None" | undefined;
  /** The domain of the cookies, with its subdomains. Default: this host only. */
  readonly domain?: string | undefined;
  /** The path of the cookies. Default `/`. */
  readonly path?: string | undefined;
}

/** The default id of the entity for this API: the same in every storage. */
export const defaultApiEntityId = "b7d5a0c2-43f1-4e8e-9c16-5a2f0e7d3b94";

const wordNames: OptionNames<Names> = { broker: "text", moderation: "text", service: "text", sms: "text" };
const cookieNames: OptionNames<CookieOptions> = { domain: "text", path: "text", sameSite: "text", secure: "boolean" };

/**
 * Fills in the vendor words. @throws TypeError for a word of other characters than letters and digits, and for two equal keys of
 * integrations.
 */
export function toNames(names: Partial<Names> | undefined): Names {
  assertKnownOptions<Partial<Names>>("names", names, wordNames);
  const all = { service: "Service", moderation: "moderation", broker: "broker", sms: "sms", ...names };
  for (const [word, name] of Object.entries(all))
    if (!/^[A-Za-z][A-Za-z0-9]{0,40}$/.test(name)) throw new TypeError(`names.${word} must be a word of letters and digits.`);
  // The keys of one object.
  if (new Set([all.moderation, all.broker, all.sms]).size < 3)
    throw new TypeError("names.moderation, names.broker and names.sms must differ.");
  return Object.freeze(all);
}

/** Fills in the cookie options. @throws TypeError for cookies that browsers refuse. */
export function toCookieSettings(options: CookieOptions = {}): CookieSettings {
  assertKnownOptions("cookies", options, cookieNames);
  const { secure = true, sameSite = "Lax", domain, path = "/" } = options;
  if (!["Strict", "Lax", "None"].includes(sameSite)) throw new TypeError("cookies.sameSite must be Strict, Lax or None.");
  // Browsers drop such cookies silently.
  if (sameSite === "None" && !secure) throw new TypeError("cookies.sameSite None needs cookies.secure.");
  if (domain !== undefined && !/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(domain))
    throw new TypeError("cookies.domain must be the name of a domain.");
  if (!/^\/[!-:<-~]*$/.test(path)) throw new TypeError("cookies.path must begin with a slash.");
  return Object.freeze({ secure, sameSite, domain, path });
}

/**
 * Returns the origins with access to cookies: the trusted ones, and that of the service's own URL. @throws TypeError for an
 * invalid origin.
 */
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

/** Returns the service's root URL in canonical form, without a trailing slash. @throws TypeError for any other text. */
export function toPublicUrl(text: string): string {
  if (!isHttpUrl(text) || /[?#]/.test(text))
    throw new TypeError("publicUrl must be a URL like https://id.example.com/identity, without query and fragment.");
  return toCanonicalUrl(text);
}

/** Returns the id of the entity for this API. @throws TypeError unless it is a UUID. */
export function toApiEntityId(id: string | undefined): string {
  const parsed = parseUuid(id ?? defaultApiEntityId);
  if (parsed === undefined) throw new TypeError("apiEntityId must be a UUID.");
  return parsed;
}

/** Returns a positive whole number. @throws TypeError naming the option. */
export function positive(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value <= 0) throw new TypeError(`${name} must be a positive whole number.`);
  return value;
}

const minApiKeyLength = 32;

/**
 * Whether the bootstrap key is short enough to guess, unless the host allows that. @throws TypeError for an empty key, and for
 * such a key in production.
 */
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

/** Returns the certificates of an option. @throws TypeError for anything but X.509 in PEM. */
export function toCertificates(option: string, given: string | readonly string[] = []): readonly string[] {
  const certificates = [given].flat();
  if (!certificates.every(isCertificatePem))
    throw new TypeError(`${option} must hold X.509 certificates in PEM, and nothing else.`);
  return certificates;
}

type PasswordHashing = Partial<HashOptions> & { readonly allowWeak?: boolean | undefined };

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

/**
 * Returns the settings of account flows. @throws TypeError for a range URL that is not http or https, and for an unreachable
 * score.
 */
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

// A higher cost could let one login exhaust the memory of the process.
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

/** Fills in the limits of import jobs. @throws TypeError for one that is not a positive whole number. */
export function toImportJobLimits(options: Partial<ImportJobLimits> = {}): ImportJobLimits {
  assertKnownOptions<Partial<ImportJobLimits>>("importJobs", options, importJobNames);
  const limits = { ...importJobDefaults, ...options };
  for (const [name, value] of Object.entries(limits)) positive(`importJobs.${name}`, value);
  return Object.freeze(limits);
}

import type { Runtime } from "../../ports/runtime.js";
import { within } from "../../shared/async.js";
import { encryptionSchemes } from "./scheme-names.js";

/** A password hash scheme of the host. */
export interface HostScheme {
  /** Whether a password matches a hash. An error counts as false. */
  readonly verify: (password: string, hash: string) => boolean | Promise<boolean>;
  /** Whether a text is a hash of the scheme. Default: always true. */
  readonly accepts?: ((hash: string) => boolean) | undefined;
}

/** The hash schemes of the host. Their hashes are `<name>$<hash>`. */
export interface HostPasswords {
  /** Whether a text is a hash of one of the schemes. */
  readonly accepts: (text: string) => boolean;
  /** Whether a password matches such a hash; undefined for a hash of another scheme. */
  readonly matches: (password: string, text: string) => Promise<boolean> | undefined;
}

/** The timeout of a scheme. */
const limitMs = 10_000;

// Reserved: prefixes of other formats before the first dollar sign.
const taken: readonly string[] = [...encryptionSchemes, "argon2", "md5", "scrypt", "sha1"];

/** Validates the schemes of the host. @throws TypeError for an invalid name or scheme. */
export function toHostPasswords(
  schemes: Readonly<Record<string, HostScheme>>,
  runtime: Pick<Runtime, "logger" | "timers">,
): HostPasswords {
  const known = new Map(Object.entries(schemes));
  for (const [name, scheme] of known) assertScheme(name, scheme);
  const find = (text: string): { readonly scheme: HostScheme; readonly name: string; readonly hash: string } | undefined => {
    const [name = "", ...rest] = text.split("$");
    const scheme = known.get(name);
    return scheme === undefined || rest.length === 0 ? undefined : { scheme, name, hash: rest.join("$") };
  };
  return {
    accepts: (text) => {
      const found = find(text);
      return found !== undefined && found.hash !== "" && (found.scheme.accepts?.(found.hash) ?? true);
    },
    matches: (password, text) => {
      const found = find(text);
      if (found === undefined) return undefined;
      const { hash, name, scheme } = found;
      const fail = (error: unknown): false => {
        runtime.logger.error({ err: error }, `passwordSchemes.${name} did not check a password`);
        return false;
      };
      const check = async (): Promise<boolean> => (await scheme.verify(password, hash)) === true;
      return within(runtime.timers, limitMs, { work: check().catch(fail), late: undefined }).then(
        (isRight) => isRight ?? fail(new Error("There was no answer.")),
      );
    },
  };
}

function assertScheme(name: string, { accepts, verify }: HostScheme): void {
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name) || taken.includes(name))
    throw new TypeError(`passwordSchemes.${name} needs another name: a letter, then letters, digits and hyphens, in lower case.`);
  if (typeof verify !== "function") throw new TypeError(`passwordSchemes.${name}.verify must be a function.`);
  if (accepts !== undefined && typeof accepts !== "function")
    throw new TypeError(`passwordSchemes.${name}.accepts must be a function.`);
}

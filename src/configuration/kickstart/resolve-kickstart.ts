import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { IdGenerator } from "../../ports/runtime.js";
import { isObject, memberOf } from "../../shared/objects.js";

interface KickstartContext {
  readonly newId: IdGenerator;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The value of a built-in variable; it may depend on the variables of the document. */
  readonly builtIn: (name: string, defined: ReadonlyMap<string, string>) => string | undefined;
}

/** A kickstart with resolved variables and includes, and these variables. */
export interface ResolvedKickstart {
  readonly document: KickstartDocument;
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * Resolves variables and includes (docs/reference/system.md#kickstart): `#{name}`, `#{UUID()}`, `#{ENV.NAME}`, `\#{…}` as literal
 * text, `@{path}` for the text and `&{path}` for the JSON of a file beside the kickstart file.
 * @throws Error naming a reference that cannot be resolved.
 */
export function resolveKickstart(source: string | KickstartDocument, surroundings: KickstartContext): ResolvedKickstart {
  const file = typeof source === "string" ? resolve(source) : undefined;
  const raw = file === undefined ? (source as KickstartDocument) : (parseFile(file) as KickstartDocument);
  if (!isObject(raw)) throw new Error("A kickstart is a JSON object.");
  const resolver = new Resolver(surroundings, file === undefined ? process.cwd() : dirname(file));
  for (const [name, value] of Object.entries(raw.variables ?? {})) resolver.define(name, String(value));
  const document = resolver.resolve(raw) as KickstartDocument;
  return { document, variables: resolver.variables };
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`The kickstart file ${path} cannot be read as JSON.`, { cause: error });
  }
}

const variableShape = /\\?#\{([^}]*)\}/g;
const includeShape = /^([@&])\{((?:#\{[^}]*\}|[^}])+)\}$/;
const maxIncludes = 1_000;

class Resolver {
  readonly variables = new Map<string, string>();
  readonly #surroundings: KickstartContext;
  readonly #directory: string;
  #includes = 0;

  constructor(surroundings: KickstartContext, directory: string) {
    this.#surroundings = surroundings;
    this.#directory = directory;
  }

  define(name: string, text: string): void {
    this.variables.set(name, this.#resolveText(text));
  }

  resolve(value: unknown): unknown {
    if (typeof value === "string") return this.#resolveString(value);
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [this.#resolveText(key), this.resolve(member)]));
  }

  #resolveString(text: string): unknown {
    const include = includeShape.exec(text);
    if (include === null) return this.#resolveText(text);
    if (++this.#includes > maxIncludes) throw new Error("The kickstart includes files without end.");
    const path = resolve(this.#directory, this.#resolveText(include[2] ?? ""));
    return include[1] === "@" ? this.#resolveText(readFileSync(path, "utf8")) : this.resolve(parseFile(path));
  }

  #resolveText(text: string): string {
    return text.replace(variableShape, (match, name: string) => (match.startsWith("\\") ? match.slice(1) : this.#valueOf(name)));
  }

  #valueOf(name: string): string {
    if (name === "UUID()") return this.#surroundings.newId();
    const value = name.startsWith("ENV.")
      ? memberOf(this.#surroundings.environment, name.slice("ENV.".length))
      : (this.variables.get(name) ?? this.#surroundings.builtIn(name, this.variables));
    if (value === undefined) throw new Error(`The kickstart names #{${name}}, which is not defined.`);
    return value;
  }
}

/** A kickstart document (docs/reference/system.md#kickstart): the initial API keys and requests of a new service. */
export interface KickstartDocument {
  /** Texts to insert with `#{name}`. */
  readonly variables?: Readonly<Record<string, string | number | boolean>>;
  /** The first one makes the requests and must be global and unrestricted. */
  readonly apiKeys: readonly KickstartApiKey[];
  /** Requests that run in order; a text of the form `&{path}` includes a JSON file. */
  readonly requests?: readonly (KickstartRequest | string)[];
  /** Accepted and unused: timeouts for a service on another machine. */
  readonly settings?: unknown;
}

/** An API key that exists from the start; besides the host itself, the only way to create a key manager. */
export interface KickstartApiKey {
  /** The value that callers present; unique. */
  readonly key: string;
  /** The UUID of the key. Default: a new one. */
  readonly id?: string;
  /** A unique name. Since 1.56.0. */
  readonly name?: string;
  /** Free text for people. */
  readonly description?: string;
  /** Whether the key may manage API keys. Default false. */
  readonly keyManager?: boolean;
  /** The endpoints that the key may call, as in the field of an API key. Default: every endpoint. */
  readonly permissions?: unknown;
  /** The tenant that the key is bound to; absent for a global key. */
  readonly tenantId?: string;
  /** The access list with the addresses that the key works from. */
  readonly ipAccessControlListId?: string;
}

/** One request of the API. */
export interface KickstartRequest {
  /** The HTTP method. */
  readonly method: string;
  /** Path and query, such as `/api/user`. */
  readonly url: string;
  /** The media type of the body. Default: JSON. */
  readonly contentType?: string;
  /** The value of the tenant header. */
  readonly tenantId?: string;
  /** The body: any JSON. Default: none. */
  readonly body?: unknown;
}

import type { Method, Route } from "./define-route.js";

/**
 * The result of a path: its route and path parameters, a known path without that method, or an unserved call of the reference,
 * which has a word in place of an id.
 */
type RouteMatch<Target> =
  | { readonly kind: "notServed" }
  | { readonly kind: "found"; readonly route: Route<Target>; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "otherMethods"; readonly methods: readonly Method[] };

const notServed = Object.freeze({ kind: "notServed" });

interface Node<Target> {
  readonly literals: Map<string, Node<Target>>;
  parameter: Node<Target> | undefined;
  readonly routes: Map<Method, KnownRoute<Target>>;
}

interface KnownRoute<Target> {
  readonly route: Route<Target>;
  readonly parameters: readonly string[];
}

/** Finds routes by path. Literal segments win over parameters, without backtracking. */
export class RouteTable<Target> {
  readonly #root: Node<Target> = createNode();

  constructor(routes: readonly Route<Target>[]) {
    for (const route of routes) this.#add(route);
  }

  /** Undefined for an unknown path. Ignores a trailing slash (docs/reference/wire.md). */
  match(method: string, path: string): RouteMatch<Target> | undefined {
    const values: string[] = [];
    const node = this.#walk(path, values);
    if (node === undefined || node.routes.size === 0) return undefined;
    for (const value of values) if (referenceWords.has(value)) return notServed;
    const known = node.routes.get((method === "HEAD" ? "GET" : method) as Method);
    if (known === undefined) return { kind: "otherMethods", methods: [...node.routes.keys()] };
    return { kind: "found", route: known.route, params: values.length === 0 ? noParams : toParams(known.parameters, values) };
  }

  #walk(path: string, values: string[]): Node<Target> | undefined {
    if (!path.startsWith("/")) return undefined;
    let node: Node<Target> = this.#root;
    const end = path.length > 1 && path.endsWith("/") ? path.length - 1 : path.length;
    for (let start = 1; start <= end; ) {
      const slash = path.indexOf("/", start);
      const stop = slash < 0 || slash > end ? end : slash;
      const segment = path.slice(start, stop);
      let next = node.literals.get(segment);
      if (next === undefined && node.parameter !== undefined && segment !== "") {
        values.push(segment);
        next = node.parameter;
      }
      if (next === undefined) return undefined;
      node = next;
      start = stop + 1;
    }
    return node;
  }

  #add(route: Route<Target>): void {
    let node = this.#root;
    const parameters: string[] = [];
    for (const segment of route.path.slice(1).split("/")) {
      if (segment.startsWith(":")) parameters.push(segment.slice(1));
      node = descend(node, segment);
    }
    if (node.routes.has(route.method)) throw new Error(`${route.method} ${route.path} is defined twice.`);
    node.routes.set(route.method, { route, parameters });
  }
}

function createNode<Target>(): Node<Target> {
  return { literals: new Map(), parameter: undefined, routes: new Map() };
}

function descend<Target>(node: Node<Target>, segment: string): Node<Target> {
  if (segment.startsWith(":")) {
    node.parameter ??= createNode();
    return node.parameter;
  }
  let next = node.literals.get(segment);
  if (next === undefined) {
    next = createNode();
    node.literals.set(segment, next);
  }
  return next;
}

const noParams: Readonly<Record<string, string>> = Object.freeze({});

function toParams(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (let index = 0; index < names.length; index++) params[names[index] ?? ""] = decode(values[index] ?? "");
  return params;
}

// A path with invalid percent-encoding stays unchanged: as an id it is refused anyway.
function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Words in place of an id: calls of the reference that this service does not serve
 * (docs/reference/wire.md#words-in-the-place-of-an-id). Includes words without a path today, so that a call of a newer client is
 * not mistaken for one about a record.
 */
export const referenceWords: ReadonlySet<string> = new Set([
  ...[
    "action",
    "activate",
    "assert",
    "assign",
    "audit-log",
    "authorize",
    "bulk",
    "cancel",
    "change-password",
    "child",
    "comment",
  ],
  ...["complete", "configuration", "connector", "consent", "consume", "daily-active-user", "describe", "device", "disable"],
  ...[
    "email-template",
    "enable",
    "event-log",
    "expire",
    "export",
    "family",
    "field",
    "forgot-password",
    "form",
    "generate",
    "grant",
  ],
  ...["health", "import", "introspect", "issue", "job", "link", "login", "login-record", "logout", "lookup", "member", "metrics"],
  ...[
    "monthly-active-user",
    "oauth-configuration",
    "parent",
    "passkey",
    "password-hashes",
    "password-validation-rules",
    "pending",
  ],
  ...["permission", "preview", "progress", "public-key", "query", "reactivate", "recent-login", "reconcile", "recovery-code"],
  ...[
    "refresh",
    "refresh-token",
    "register",
    "registration",
    "reindex",
    "replay",
    "report",
    "request",
    "resend",
    "restore",
    "results",
    "resume",
    "rotate",
  ],
  ...[
    "role",
    "scope",
    "search",
    "secret",
    "send",
    "send-email",
    "start",
    "status",
    "template",
    "test",
    "totals",
    "two-factor",
    "type",
  ],
  ...["universal", "user", "userinfo", "validate", "vend", "verify", "verify-email", "verify-registration", "version"],
  ...["notify", "webhook-attempt-log", "webhook-event-log"],
]);

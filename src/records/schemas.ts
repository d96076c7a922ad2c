import { type Lazy, lazily } from "../shared/async.js";

// For callers that take a schema by name and parse with it.
export { parseWith } from "../http/schema/parse-with.js";

/** The schemas of bodies by subject. The first body of a subject loads them: all together take 110 ms of CPU. */
interface SchemaModules {
  readonly audit: typeof import("./schemas/audit.js");
  readonly entities: typeof import("./schemas/entities.js");
  readonly forms: typeof import("./schemas/forms.js");
  readonly groups: typeof import("./schemas/groups.js");
  readonly import: typeof import("./schemas/import.js");
  readonly keys: typeof import("./schemas/keys.js");
  readonly lambdas: typeof import("./schemas/lambdas.js");
  readonly logins: typeof import("./schemas/logins.js");
  readonly messages: typeof import("./schemas/messages.js");
  readonly providers: typeof import("./schemas/providers.js");
  readonly tenants: typeof import("./schemas/tenants.js");
  readonly users: typeof import("./schemas/users.js");
}

const loads: { readonly [Subject in keyof SchemaModules]: Lazy<SchemaModules[Subject]> } = {
  audit: lazily(() => import("./schemas/audit.js")),
  entities: lazily(() => import("./schemas/entities.js")),
  forms: lazily(() => import("./schemas/forms.js")),
  groups: lazily(() => import("./schemas/groups.js")),
  import: lazily(() => import("./schemas/import.js")),
  keys: lazily(() => import("./schemas/keys.js")),
  lambdas: lazily(() => import("./schemas/lambdas.js")),
  logins: lazily(() => import("./schemas/logins.js")),
  messages: lazily(() => import("./schemas/messages.js")),
  providers: lazily(() => import("./schemas/providers.js")),
  tenants: lazily(() => import("./schemas/tenants.js")),
  users: lazily(() => import("./schemas/users.js")),
};

/** Returns the schema with this name, and loads it on first use: `lazySchema("groups", "groupRequest")`. */
export function lazySchema<Subject extends keyof SchemaModules, Name extends keyof SchemaModules[Subject]>(
  subject: Subject,
  name: Name,
): () => SchemaModules[Subject][Name] | Promise<SchemaModules[Subject][Name]> {
  return lazily(async () => (await loads[subject]())[name]);
}

import * as keys from "../keys/families.js";
import { lazily } from "../shared/async.js";

/** The rules of the families of each area, by the names of the families. */
interface AreaModules {
  readonly audit: typeof import("../audit/families.js");
  readonly delivery: typeof import("../delivery/families.js");
  readonly entities: typeof import("../entities/families.js");
  readonly forms: typeof import("../forms/families.js");
  readonly groups: typeof import("../people/group-families.js");
  readonly import: typeof import("../import/families.js");
  readonly keys: typeof import("../keys/families.js");
  readonly lambdas: typeof import("../lambdas/families.js");
  readonly messages: typeof import("../messages/families.js");
  readonly people: typeof import("../people/families.js");
  readonly signIn: typeof import("../sign-in/families.js");
  readonly system: typeof import("../system/families.js");
  readonly tenants: typeof import("../tenants/families.js");
}

/**
 * Each area is loaded with the first call of one of its families. The area of keys is small and usually needed at start, so it is
 * always loaded.
 */
export const familyRules: { readonly [Area in keyof AreaModules]: () => AreaModules[Area] | Promise<AreaModules[Area]> } = {
  audit: lazily(() => import("../audit/families.js")),
  delivery: lazily(() => import("../delivery/families.js")),
  entities: lazily(() => import("../entities/families.js")),
  forms: lazily(() => import("../forms/families.js")),
  groups: lazily(() => import("../people/group-families.js")),
  import: lazily(() => import("../import/families.js")),
  keys: () => keys,
  lambdas: lazily(() => import("../lambdas/families.js")),
  messages: lazily(() => import("../messages/families.js")),
  people: lazily(() => import("../people/families.js")),
  signIn: lazily(() => import("../sign-in/families.js")),
  system: lazily(() => import("../system/families.js")),
  tenants: lazily(() => import("../tenants/families.js")),
};

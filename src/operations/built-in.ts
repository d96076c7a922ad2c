import type { Transaction } from "../ports/storage.js";
import type { ServiceContext } from "./service-context.js";

/** Records that every service has from its first start, made once in the life of a storage: what is removed later stays away. */
export interface BuiltIn {
  readonly name: string;
  /** What an option makes of it: the records are made once for each. */
  readonly variant?: (service: ServiceContext) => string;
  readonly make: (tx: Transaction, service: ServiceContext, defaultTenantId: string) => Promise<void>;
}

import { parseRecord } from "../operations/family/family.js";
import type { ServiceContext } from "../operations/service-context.js";
import { tenantScope } from "../ports/storage.js";
import { entitiesTable } from "../records/entities/family.js";
import type { Entity } from "../records/entities/schema.js";
import { TtlCache } from "../shared/ttl-cache.js";
import type { ProtocolCache, ProtocolHost } from "./protocol.js";

/** Creates the lookups of protocols besides the API. */
export function createLookups(service: ServiceContext): Pick<ProtocolHost, "createCache" | "findEntityTypes" | "findKey"> {
  return {
    createCache<T>(): ProtocolCache<T> {
      const cache = new TtlCache<T>(service.runtime.monotonic);
      service.whenClientsChange(() => cache.invalidate());
      return cache;
    },
    async findEntityTypes(tenantId: string, entityIds: readonly string[]) {
      const filter = { op: "in", column: "id", values: entityIds } as const;
      const found = await service.storage.find(tenantScope(tenantId), entitiesTable, filter);
      return new Map(found.map((entity) => [entity.id, parseRecord<Pick<Entity, "type">>(entity).type.id]));
    },
    findKey: (keyId: string) => service.openKeys.byId(keyId),
  };
}

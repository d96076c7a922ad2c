import type { OperationCall } from "../operations/operation.js";
import type { ServiceContext } from "../operations/service-context.js";
import { startWriteCall } from "../operations/session.js";
import { tenantScope } from "../ports/storage.js";
import type { ApiRequest } from "../ports/transport.js";

/** Creates an anonymous call in one tenant, for a request to the OpenID provider. */
export function toOpenIdCall(service: ServiceContext, tenantId: string, request?: ApiRequest): OperationCall {
  const { storage } = service;
  const said = { params: {}, body: undefined, bodyKind: "form", ifMatch: undefined, isDryRun: false } as const;
  const call: OperationCall = {
    ...said,
    service,
    principal: undefined,
    scope: tenantScope(tenantId),
    request,
    reader: storage,
    write: (work, options) => storage.transaction((tx) => work(startWriteCall(call, tx)), options),
  };
  return call;
}

import type { OperationCall } from "../../operations/operation.js";
import { issuerOf } from "../../records/tenants/family.js";
import { addressOfLogin } from "../../sessions/throttle/source-of-attempt.js";

/** The tenant and application in the context of every lambda. */
interface LambdaContextFields {
  readonly tenant: Shown & { readonly issuer?: string | undefined };
  /** Undefined for a lambda without an application. */
  readonly application?: Shown | undefined;
}

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The argument `context` of a lambda: its tenant and application, the sender of the request, and members of its type
 * (docs/reference/lambdas.md#context). The configuration of tenant and application, with keys and lambdas, is not shown.
 */
export function toLambdaContext(
  call: OperationCall,
  { tenant, application }: LambdaContextFields,
  beside: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { headers = {} } = call.request ?? {};
  const eventInfo = { ipAddress: addressOfLogin(call)?.text, userAgent: [headers["user-agent"]].flat()[0] };
  return {
    ...beside,
    application: application && toShown(application),
    eventInfo,
    tenant: { ...toShown(tenant), issuer: issuerOf(tenant) },
  };
}

function toShown({ data, id, name }: Shown): Shown {
  return { data, id, name };
}

import type { OperationCall } from "../../operations/operation.js";
import { issuerOf } from "../../records/tenants/family.js";
import { addressOfLogin } from "../../sessions/throttle/source-of-attempt.js";

/** What the context of every lambda says of where it runs. */
interface LambdaContextFields {
  readonly tenant: Shown & { readonly issuer?: string | undefined };
  /** Undefined where the lambda runs for no application. */
  readonly application?: Shown | undefined;
}

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The argument `context` of a lambda: the tenant and the application that it runs for, who sent the request, and what its kind has beside
 * (docs/reference/lambdas.md#context). What is configured of them, keys and lambdas among it, is not the lambda's business.
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

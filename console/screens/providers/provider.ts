import type { Named } from "../records/named-columns.js";

/** An identity provider as the API shows it. */
export interface ProviderRow extends Named {
  readonly type: string;
  readonly enabled: boolean;
  readonly tenantId?: string | undefined;
  readonly domains?: readonly string[] | undefined;
  readonly applicationConfiguration: Readonly<Record<string, { readonly enabled: boolean }>>;
}

/** Returns the ids of the applications that offer a provider. */
export function applicationsOf({ applicationConfiguration }: ProviderRow): readonly string[] {
  return Object.entries(applicationConfiguration).flatMap(([id, { enabled }]) => (enabled ? [id] : []));
}

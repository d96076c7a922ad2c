import { lambdaControl } from "../../kit/record-form/lambda-control.js";
import { pairsControl } from "../../kit/record-form/pairs-control.js";
import type { TypedRow } from "../records/typed-form.js";
import { applicationsControl } from "./applications-control.js";
import { keysControl } from "./keys-control.js";
import { type ProviderType, sectionsOf } from "./provider-types.js";
import { strategyControl } from "./strategy-control.js";
import { tenantsControl } from "./tenants-control.js";

/** Builds the form for a type of providers. */
export function toTypedRow([name, type]: readonly [string, ProviderType]): readonly [string, TypedRow] {
  const controls = {
    linkingStrategy: strategyControl,
    "lambdaConfiguration.reconcileId": lambdaControl(type.lambda),
    applicationConfiguration: applicationsControl(name, type.ofApplication),
    tenantConfiguration: tenantsControl,
    attributeMappings: pairsControl,
    claimMap: pairsControl,
    keys: keysControl,
  };
  return [name, { sections: sectionsOf(type), initial: { enabled: true, ...type.initial }, controls }];
}

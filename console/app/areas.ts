import { applications } from "../screens/applications/index.js";
import { connectors } from "../screens/connectors/index.js";
import { entities } from "../screens/entities/index.js";
import { extension } from "../screens/extension/index.js";
import { forms } from "../screens/forms/index.js";
import { groups } from "../screens/groups/index.js";
import { imports } from "../screens/imports/index.js";
import { apiKeys, keys } from "../screens/keys/index.js";
import { lambdas } from "../screens/lambdas/index.js";
import { logs } from "../screens/logs/index.js";
import { overview } from "../screens/overview/index.js";
import { providers } from "../screens/providers/index.js";
import { moreRecords } from "../screens/records/index.js";
import { scim } from "../screens/scim/index.js";
import { configuration, integrations, system } from "../screens/settings/index.js";
import { templates } from "../screens/templates/index.js";
import { tenants } from "../screens/tenants/index.js";
import { users } from "../screens/users/index.js";
import { deliveries, webhooks } from "../screens/webhooks/index.js";
import type { Area } from "./area.js";
import { config } from "./config.js";
import { may } from "./session.js";

/** All areas in the order of the navigation, one on each line. */
// biome-ignore format: one area on each line.
export const areas: readonly Area[] = [
  overview,
  users,
  groups,
  applications,
  tenants,
  entities,
  imports,
  apiKeys,
  keys,
  providers,
  connectors,
  scim,
  webhooks,
  deliveries,
  lambdas,
  templates,
  forms,
  moreRecords,
  logs,
  integrations,
  configuration,
  system,
  extension,
];

/** The areas that the host does not hide and that the person may read. */
export function shownAreas(): readonly Area[] {
  return areas.filter(
    ({ name, path, requires }) =>
      path !== undefined && !config.hiddenAreas.includes(name) && (requires === undefined || may(requires.method, requires.path)),
  );
}

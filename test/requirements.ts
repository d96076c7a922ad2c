import { accessListRequirements } from "./requirements/access-lists.js";
import { accountRequirements } from "./requirements/accounts.js";
import { auditLogRequirements } from "./requirements/audit-logs.js";
import { bulkUserRequirements } from "./requirements/bulk-users.js";
import { clientRequirements } from "./requirements/client.js";
import { clientCredentialsRequirements } from "./requirements/client-credentials.js";
import { configRequirements } from "./requirements/config.js";
import { configurationRequirements } from "./requirements/configuration.js";
import { connectorRequirements } from "./requirements/connectors.js";
import { consoleRequirements } from "./requirements/console.js";
import { defaultsRequirements } from "./requirements/defaults.js";
import { documentationRequirements } from "./requirements/documentation.js";
import { dpopRequirements } from "./requirements/dpop.js";
import { emailTemplateRequirements } from "./requirements/email-templates.js";
import { entityRequirements } from "./requirements/entities.js";
import { eventLogRequirements } from "./requirements/event-logs.js";
import { eventsRequirements } from "./requirements/events.js";
import { ofEveryFamily } from "./requirements/every-family.js";
import { formAndConsentRequirements } from "./requirements/forms-and-consents.js";
import { guardRequirements } from "./requirements/guards.js";
import { linkRequirements } from "./requirements/identity-provider-links.js";
import { identityProviderRequirements } from "./requirements/identity-providers.js";
import { importJobRequirements } from "./requirements/import-jobs.js";
import { integrationRequirements } from "./requirements/integrations.js";
import { keyRequirements } from "./requirements/keys.js";
import { keysAndSystemRequirements } from "./requirements/keys-and-system.js";
import { lambdaRunnerRequirements } from "./requirements/lambda-runner.js";
import { lambdasRequirements } from "./requirements/lambdas.js";
import { loginRequirements } from "./requirements/login.js";
import { messengerRequirements } from "./requirements/messengers.js";
import { observabilityRequirements } from "./requirements/observability.js";
import { openApiRequirements } from "./requirements/openapi.js";
import { openIdRequirements } from "./requirements/openid.js";
import { pageRequirements } from "./requirements/pages.js";
import { passkeyRequirements } from "./requirements/passkeys.js";
import { removalRequirements } from "./requirements/removals.js";
import type { RulesBySection } from "./requirements/rules.js";
import { samlRequirements } from "./requirements/saml.js";
import { scimRequirements } from "./requirements/scim.js";
import { secretRequirements } from "./requirements/secrets.js";
import { sizeRequirements } from "./requirements/sizes.js";
import { smsRequirements } from "./requirements/sms.js";
import { storageRequirements } from "./requirements/storages.js";
import { testingRequirements } from "./requirements/testing.js";
import { themeRequirements } from "./requirements/themes.js";
import { twoFactorRequirements } from "./requirements/two-factor.js";
import { userActionRequirements } from "./requirements/user-actions.js";
import { webhooksRequirements } from "./requirements/webhooks.js";
import { wireRequirements } from "./requirements/wire.js";

const all: readonly RulesBySection[] = [
  accessListRequirements,
  accountRequirements,
  auditLogRequirements,
  bulkUserRequirements,
  clientCredentialsRequirements,
  clientRequirements,
  configRequirements,
  configurationRequirements,
  connectorRequirements,
  consoleRequirements,
  defaultsRequirements,
  documentationRequirements,
  dpopRequirements,
  emailTemplateRequirements,
  entityRequirements,
  eventLogRequirements,
  eventsRequirements,
  ofEveryFamily,
  formAndConsentRequirements,
  guardRequirements,
  linkRequirements,
  identityProviderRequirements,
  importJobRequirements,
  integrationRequirements,
  keysAndSystemRequirements,
  keyRequirements,
  lambdaRunnerRequirements,
  lambdasRequirements,
  loginRequirements,
  messengerRequirements,
  observabilityRequirements,
  openApiRequirements,
  openIdRequirements,
  pageRequirements,
  passkeyRequirements,
  removalRequirements,
  samlRequirements,
  scimRequirements,
  secretRequirements,
  sizeRequirements,
  smsRequirements,
  storageRequirements,
  testingRequirements,
  themeRequirements,
  twoFactorRequirements,
  userActionRequirements,
  webhooksRequirements,
  wireRequirements,
];

/** Every rule of this release: the section that states it, by an id that tests cite. `npm run requirements` prints them with their tests. */
export const requirements: Readonly<Record<string, string>> = Object.fromEntries(
  all.flatMap((rules) =>
    Object.entries(rules).flatMap(([section, ids]) =>
      ids
        .trim()
        .split(/\s+/)
        .map((id) => [id, section] as const),
    ),
  ),
);

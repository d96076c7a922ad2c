/** The guides of the site's sidebar, by subject. A test holds this table against the files in docs/. */
export interface Section {
  readonly text: string;
  /** Whether the sidebar shows its heading alone until the reader opens it. */
  readonly collapsed?: boolean;
  /** The files, from the repository's root, and what the sidebar calls them. */
  readonly pages: Readonly<Record<string, string>>;
}

/** The sidebar's sections from top to bottom. */
export const sections: readonly Section[] = [
  {
    text: "Start",
    pages: {
      "docs/try-it.md": "Try it in five minutes",
      "docs/embedding.md": "Add it to your app",
      "docs/bundling.md": "Bundle your application",
      "docs/transactions.md": "Transactions",
      "docs/comparison.md": "Is it for you?",
      "docs/moving.md": "Move your users",
      "docs/migrating.md": "Migrate",
      "docs/directory.md": "Your own user table",
      "docs/testing.md": "Test your app",
    },
  },
  {
    text: "API",
    pages: {
      "docs/client.md": "Typed client",
      "docs/openapi.md": "OpenAPI",
      "docs/patch.md": "PATCH",
      "docs/errors.md": "Errors",
      "docs/keys.md": "API keys",
      "docs/tenants.md": "Tenants",
      "docs/identity-providers.md": "Identity providers",
      "docs/openid-provider.md": "OpenID provider",
      "docs/scim.md": "SCIM",
      "docs/passkeys.md": "Passkeys",
      "docs/ldap.md": "LDAP",
      "docs/configuration.md": "Configuration as code",
    },
  },
  {
    text: "Authentication",
    pages: {
      "docs/authentication.md": "Overview",
      "docs/single-sign-on.md": "Single sign-on for companies",
      "docs/saml.md": "SAML",
      "docs/authentication-login.md": "Logins and tokens",
      "docs/accounts.md": "Accounts",
      "docs/pages.md": "Pages of sign-in",
      "docs/authentication-two-factor.md": "Two-factor",
      "docs/authentication-oauth.md": "Client credentials",
      "docs/authentication-dpop.md": "DPoP",
      "docs/protected-route.md": "Sign-up, login, protected route",
      "docs/guards.md": "Protect your routes",
      "docs/guards-express.md": "Guards in Express",
      "docs/guards-fastify.md": "Guards in Fastify",
      "docs/guards-koa.md": "Guards in Koa",
      "docs/guards-fetch.md": "Guards of fetch handlers",
      "docs/authentication-system.md": "Access lists, brute force",
      "docs/moderation.md": "Username moderation",
    },
  },
  {
    text: "Events and messages",
    pages: {
      "docs/events.md": "Events",
      "docs/webhooks.md": "Webhooks",
      "docs/broker.md": "Message brokers",
      "docs/emails.md": "Email",
      "docs/templates.md": "Template language",
      "docs/sms.md": "SMS",
      "docs/messengers.md": "Messengers",
    },
  },
  {
    text: "Extend",
    pages: {
      "docs/lambdas.md": "Lambdas",
      "docs/lambdas-places.md": "Where lambdas run",
      "docs/lambdas-api.md": "The API in lambdas",
      "docs/lambdas-modules.md": "Chains, modules and versions of lambdas",
      "docs/lambdas-running.md": "Limits and failures",
      "docs/forms.md": "Forms",
    },
  },
  {
    text: "Operate",
    pages: {
      "docs/console.md": "Console",
      "docs/operations.md": "Run a server",
      "docs/observability.md": "Logs, traces, metrics",
      "docs/audit.md": "Audit log",
      "docs/security.md": "Security",
    },
  },
  {
    text: "Look something up",
    pages: {
      "docs/versions.md": "Versions and plans",
      "docs/behaviour.md": "Decisions",
      "docs/glossary.md": "Glossary",
      "CHANGELOG.md": "Changelog",
    },
  },
  {
    text: "Reference",
    collapsed: true,
    pages: {
      "docs/reference/README.md": "Overview",
      "docs/reference/wire.md": "Requests and responses",
      "docs/reference/errors.md": "Errors",
      "docs/reference/patch.md": "PATCH",
      "docs/reference/search.md": "Search",
      "docs/reference/authentication.md": "Authentication",
      "docs/reference/tokens.md": "Logins and tokens",
      "docs/reference/account-flows.md": "Account flows",
      "docs/reference/account-settings.md": "Account settings",
      "docs/reference/settings-without-effect.md": "Settings without effect",
      "docs/reference/two-factor.md": "Second factors",
      "docs/reference/login-security.md": "Login security",
      "docs/reference/oauth.md": "Client credentials",
      "docs/reference/api-keys.md": "API keys",
      "docs/reference/tenants.md": "Tenants and applications",
      "docs/reference/users.md": "Users and registrations",
      "docs/reference/user-import.md": "Import of users",
      "docs/reference/user-export.md": "Export of users",
      "docs/reference/validity.md": "Validity",
      "docs/reference/user-actions.md": "User actions",
      "docs/reference/groups.md": "Groups and members",
      "docs/reference/webhooks.md": "Webhooks",
      "docs/reference/events.md": "Events",
      "docs/reference/lambdas.md": "Lambdas",
      "docs/reference/forms.md": "Forms and consents",
      "docs/reference/email-templates.md": "Email templates",
      "docs/reference/integrations.md": "Integrations",
      "docs/reference/signing-keys.md": "Signing keys",
      "docs/reference/entities.md": "Entities and grants",
      "docs/reference/passkeys.md": "Passkeys",
      "docs/reference/identity-providers.md": "Identity providers",
      "docs/reference/saml.md": "SAML",
      "docs/reference/openid.md": "OpenID provider",
      "docs/reference/themes.md": "Themes",
      "docs/reference/scim.md": "SCIM",
      "docs/reference/connectors.md": "Connectors",
      "docs/reference/system.md": "Status, logs, metrics",
      "docs/reference/service.md": "In process",
      "docs/reference/threats.md": "Threat model",
    },
  },
  {
    text: "Contribute",
    collapsed: true,
    pages: {
      "CONTRIBUTING.md": "Contributor guide",
      "docs/architecture.md": "Architecture",
      "docs/internals/add-a-field.md": "Add a field",
      "docs/internals/design.md": "Design",
      "docs/internals/decisions.md": "Decisions",
      "docs/internals/storage.md": "Storage",
      "docs/internals/search.md": "Search",
      "docs/internals/delivery.md": "Delivery",
      "docs/internals/performance.md": "Performance",
      "docs/internals/performance/goals.md": "Goals of speed",
      "docs/internals/libraries.md": "Libraries",
      "docs/internals/measures.md": "Measures",
      "docs/internals/trace.md": "One request",
      "docs/internals/query-plans.md": "Query plans",
      "docs/internals/tests.md": "Tests",
      "docs/releases.md": "Releases",
    },
  },
];

/** Files at the root and beside it that are pages of the site; what stands in docs/ is one anyway. */
export const rootPages: readonly string[] = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md"];

/** The address of a file of the repository on the site, if it is a page there. */
export function toAddress(file: string): string | undefined {
  if (file === "README.md" || file === "docs/site/index.md") return "/";
  if (!file.endsWith(".md")) return;
  if (!/^(docs|temp\/site\/api)\//.test(file) && !rootPages.includes(file)) return;
  return `/${rewritePath(file).replace(/(^|\/)index\.md$|\.md$/, "$1")}`;
}

/** The path below the site's root from which a page is served: its own, `README.md` being the folder's index. */
export function rewritePath(file: string): string {
  return file
    .replace(/^(docs|temp)\/site\//, "")
    .replace(/README\.md$/, "index.md")
    .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase());
}

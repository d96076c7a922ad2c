import type { RulesBySection } from "./rules.js";

/** The rules of configuration as a document, and of the command line. */
export const configRequirements: RulesBySection = {
  "docs/configuration.md": `
    config.round-trip config.keys config.apply config.edit config.ids config.defaults config.order config.prune config.secrets
    config.stale config.refusals config.inside config.audit cli.migrate cli.configuration cli.exit-codes cli.keys cli.doctor
    cli.doctor-truth cli.version cli.module cli.help cli.refusals config.fixed
  `,
  "docs/lambdas.md#in-a-folder": "cli.lambdas",
  "docs/releases.md#upgrade": "cli.doctor-upgrade",
  "docs/try-it.md#start-an-app": "cli.init",
  "docs/try-it.md#try-it-without-a-clone": "cli.dev",
  "docs/moving.md#what-comes-along": "cli.users-sources",
  "docs/moving.md#the-command": "cli.users-import cli.users-key",
  "docs/moving.md#between-two-services": "cli.users-export",
  "docs/operations.md": "server.clear-start server.shutdown server.proxies server.log server.mount-path docs.environment",
  "docs/reference/api-keys.md#endpoints-of-api-keys": "api-key.list",
};

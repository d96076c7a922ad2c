import type { Requirement } from "./requirement.js";

const section = "docs/configuration.md";

/** The rules of configuration as a document, and of the command line. */
export const configRequirements: Readonly<Record<string, Requirement>> = {
  "config.round-trip": { behaviour: "An export holds no secret, and a plan of it finds nothing to do", section },
  "config.keys": { behaviour: "Records name each other by keys, so that a document fits every service", section },
  "config.apply": { behaviour: "Applying does what the plan says; doing it again changes nothing", section },
  "config.edit": { behaviour: "A plan names what differs, member by member, and changes nothing itself", section },
  "config.ids": {
    behaviour: "A record is found by its id, else by its key; where neither tells, the document is refused",
    section,
  },
  "config.defaults": { behaviour: "A record in a document means what a PUT with it means", section },
  "config.order": { behaviour: "Records are made behind those that they name; circles are refused", section },
  "config.prune": {
    behaviour: "Only pruning removes: families and tenants that the document speaks of, and nothing that every service has",
    section,
  },
  "config.secrets": {
    behaviour: "Secrets are named, looked up when they are needed, compared by value, and told by no plan, error or export",
    section,
  },
  "config.stale": { behaviour: "A plan is refused with 412 once what it changes is other than it was", section },
  "config.refusals": {
    behaviour: "All that is wrong with a document is told at once, by its paths, and nothing is done",
    section,
  },
  "config.inside": { behaviour: "Configuration has a transaction of its own", section },
  "config.audit": { behaviour: "Changes by a document are audited and sent as events like any other", section },
  "cli.migrate": { behaviour: "migrate lists or makes the versions of the schema that are missing; nothing else does", section },
  "cli.configuration": { behaviour: "plan, apply and export read and write documents of files and streams", section },
  "cli.exit-codes": {
    behaviour: "0: all is well; 1: something is wrong; 2 with --detailed-exitcode: something would change",
    section,
  },
  "cli.keys": { behaviour: "keys makes, lists and revokes API keys; a value is printed once", section },
  "cli.lambdas": {
    behaviour: "lambdas stores, fetches and tests the lambdas of a folder, and prints what they wrote",
    section: "docs/lambdas.md#in-a-folder",
  },
  "cli.doctor": { behaviour: "doctor tells of each check whether it is ok, warn or fail", section },
  "cli.doctor-truth": {
    behaviour: "What doctor finds wrong is said with its rule and what to do, without a stack, and the exit code is 1",
    section,
  },
  "cli.doctor-upgrade": {
    behaviour: "doctor --upgrade says what the first start of a release does to a database, and changes nothing",
    section: "docs/releases.md#upgrade",
  },
  "cli.init": {
    behaviour: "init writes an app into an empty folder: it runs, and its secrets are its own",
    section: "docs/try-it.md#start-an-app",
  },
  "cli.dev": {
    behaviour: "dev runs a service in memory with example data, on the loopback address and not in production",
    section: "docs/try-it.md#try-it-without-a-clone",
  },
  "cli.users-sources": {
    behaviour:
      "Users of each system that docs/moving.md names become rows of an import: ids stay, passwords go on, losses are counted",
    section: "docs/moving.md#what-comes-along",
  },
  "cli.users-import": {
    behaviour: "users import sends a file as a job, waits for it and names what failed; its exit code says whether rows failed",
    section: "docs/moving.md#the-command",
  },
  "cli.users-key": {
    behaviour: "A users command on a database has an API key that expires ten minutes after the command stops, however it stops",
    section: "docs/moving.md#the-command",
  },
  "cli.users-export": {
    behaviour: "users export prints the users as an import takes them, with hashes on request",
    section: "docs/moving.md#between-two-services",
  },
  "cli.version": { behaviour: "--version prints the version of the package", section },
  "server.clear-start": {
    behaviour: "The server of npm start that cannot start says why in one line, and ends with 1",
    section: "docs/operations.md",
  },
  "docs.environment": {
    behaviour: "Each environment variable has one name, and docs/operations.md lists it",
    section: "docs/operations.md",
  },
  "cli.module": { behaviour: "A module may say which service a command is about", section },
  "cli.help": { behaviour: "--help tells what a command and its options are for", section },
  "cli.refusals": { behaviour: "What is wrong is said on standard error, without a stack, with exit code 1", section },
  "api-key.list": {
    behaviour: "The host, and whoever manages keys, lists API keys in process",
    section: "docs/reference/api-keys.md#endpoints-of-api-keys",
  },
  "config.fixed": { behaviour: "What no request can change is refused, not passed over", section },
};

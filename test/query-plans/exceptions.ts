import type { RecordedStatement } from "./operation-statements.js";

/** Operations that refuse each call of the stage, and after what. */
export const refused: Readonly<Record<string, string>> = {
  "twoFactor.send": "the user has methods that nothing is sent to",
  "twoFactor.sendForLogin": "the same, in a login that waits",
  "twoFactor.startPasskey": "no passkey is a second factor of the login",
};

/** Tables of what administrators write, which have fewer rows in the test. */
export const configurationTables: ReadonlySet<string> = new Set([
  "accessLists",
  "apiKeys",
  "apiKeyUses",
  "applicationRoles",
  "connectors",
  "consents",
  "earlierReceivers",
  "emailTemplates",
  "entityTypePermissions",
  "entityTypes",
  "formFields",
  "forms",
  "groupRoles",
  "identityProviderApplications",
  "identityProviderDomains",
  "identityProviders",
  "identityProviderTenants",
  "importJobs",
  "installations",
  "integrations",
  "keyPurposes",
  "keys",
  "lambdas",
  "messageTemplates",
  "messengers",
  "setAside",
  "themes",
  "userActionReasons",
  "userActions",
  "webhookApplications",
  "webhooks",
  "webhookTenants",
]);

/** Statements that may look at many rows, and why. */
interface Exception {
  readonly statement: RegExp;
  readonly reason: string;
}

const exceptions: readonly Exception[] = [
  {
    statement: /^select count\(\*\) as total | as page join | limit \d+ offset \?$/,
    reason: "Large tables get indexes and totals for their searches: test/search/query-plans.test.ts explains those.",
  },
  {
    statement:
      /^select .* where \(?"t"\."tenant_id" = \?( and "t"\."id" > \?\))? order by "t"\."id" asc limit \d+$|^delete from "latchkey_tenants"/,
    reason: "The removal of a tenant passes over each table in the order of ids, in batches beside the requests.",
  },
  {
    statement: /^update "latchkey_webhook_attempt_logs" set tenant_id = null /,
    reason: "The same; the log holds 30 days.",
  },
  {
    statement: /"latchkey_(applications|user_actions)" as t where .*"t"\."(state|active)" = \?.* limit 65$/,
    reason: "A list of the active ones: few are not.",
  },
  {
    statement:
      /"latchkey_(entities|identity_providers|lambdas|themes|webhooks)" as t where .* order by "t"\."(name_folded|insert_instant)" \w+, "t"\."id" \w+ limit 65$/,
    reason: "A list returns all records, and reads 65 first to learn whether there are more.",
  },
  {
    statement: /from "latchkey_import_jobs" as t where .* order by "t"\."insert_instant" desc/,
    reason: "A list of the jobs of all months, which are few.",
  },
  { statement: /from "latchkey_keys" as t where "t"\."type" (in|=) /, reason: "The published keys are most of the keys." },
  {
    statement: /from "latchkey_(webhooks|earlier_receivers)" as t where 1 = 1 order by "t"\."id" asc$/,
    reason: "All of them decide about each event, and are cached.",
  },
  {
    statement:
      /row_number\(\) over \(order by added\) as island from "latchkey_(audit_queue|events)"|^delete from "latchkey_events" as t where "t"\."insert_instant"/,
    reason:
      "These logs hold what waits: for receivers, read when a webhook changes and once an hour; for a digest, for half a minute.",
  },
  {
    statement: /^update "latchkey_events" set leased_until = |^delete from "latchkey_audit_queue" where added in /,
    reason: "The order of positions is the order of rows: the scan ends at the limit.",
  },
];

const used = new Set<Exception>();

/** The exception for a statement, if any. */
export function findException({ sql }: Pick<RecordedStatement, "sql">): Exception | undefined {
  const found = exceptions.find(({ statement }) => statement.test(sql));
  if (found !== undefined) used.add(found);
  return found;
}

/** The reasons of exceptions that no statement needed. */
export function unusedExceptions(): readonly string[] {
  return exceptions.filter((one) => !used.has(one)).map(({ reason }) => reason);
}

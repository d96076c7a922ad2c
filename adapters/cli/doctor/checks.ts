import type { IdentityService } from "latchkey";
import type { IndexPlan } from "latchkey/ports";
import type { CommandCall } from "../command/command.js";

/**
 * Finds mails and text messages that the settings need but the service cannot send. Without the options of the host, it assumes
 * that the senders exist.
 */
export async function checkFlows(identity: IdentityService, assumeSenders: boolean): Promise<readonly Finding[]> {
  const lines = await identity.config.missingParts({ assumeSenders });
  if (lines.length === 0) return [{ check: "flows", result: "ok", detail: "settings have what their mails and texts need" }];
  return lines.map((line) => {
    const at = line.lastIndexOf(": ");
    const fix = line.slice(at + 2);
    return { check: "flows", result: "warn", detail: line.slice(0, at), hint: fix.charAt(0).toUpperCase() + fix.slice(1) };
  });
}

/** The checks of an open service, in order. */
export const serviceChecks: readonly ((identity: IdentityService) => Promise<Finding>)[] = [
  checkSealed,
  checkTimes,
  checkOutbox,
  checkWebhooks,
  checkLambdas,
  checkIndexes,
];

/** Requirements that the database lacks for planned indexes, each once. */
export function listNeeds(planned: readonly IndexPlan[]): readonly string[] {
  return [...new Set(planned.flatMap(({ needs }) => needs ?? []))];
}

async function checkIndexes(identity: IdentityService): Promise<Finding> {
  const planned = await identity.planIndexes();
  if (planned.length === 0) return { check: "indexes", result: "ok", detail: "searches of large tables have their indexes" };
  const tables = [...new Set(planned.map(({ table }) => table))].join(", ");
  const runs = planned.every(({ needs }) => needs !== undefined) ? [] : ["Run latchkey indexes."];
  const hint = [...runs, ...listNeeds(planned), "Until then, these searches take longer, and their answers are the same."].join(
    " ",
  );
  return { check: "indexes", result: "warn", detail: `searches lack ${planned.length} indexes of ${tables}`, hint };
}

// The export opens every sealed record.
async function checkSealed(identity: IdentityService): Promise<Finding> {
  try {
    await identity.config.export();
    return { check: "sealed", result: "ok", detail: "all that is sealed in the configuration opens" };
  } catch (error) {
    const hint = "Pass every secret that the database was used with.";
    return { check: "sealed", result: "fail", detail: (error as Error).message, hint };
  }
}

async function checkTimes(identity: IdentityService): Promise<Finding> {
  const { tenants } = await identity.tenants.list();
  const newest = tenants.reduce((last, { lastUpdateInstant }) => Math.max(last, lastUpdateInstant), 0);
  if (newest <= Date.now() + 5_000) return { check: "time", result: "ok", detail: "no tenant is from the future" };
  const detail = `a tenant was changed at ${new Date(newest).toISOString()}, which is still to come`;
  return { check: "time", result: "warn", detail, hint: "Is the clock of this machine, or of another process, wrong?" };
}

const manyEvents = 1_000;

async function checkOutbox(identity: IdentityService): Promise<Finding> {
  const text = await identity.system.metrics();
  const depth = Number(/^latchkey_outbox_events(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1] ?? 0);
  const detail = `${depth} events wait`;
  if (depth <= manyEvents) return { check: "outbox", result: "ok", detail };
  return {
    check: "outbox",
    result: "warn",
    detail,
    hint: "Does a process run that delivers them? With delivery: false none does before identity.start().",
  };
}

async function checkWebhooks(identity: IdentityService): Promise<Finding> {
  const { total } = await identity.webhookEventLogs.search({ search: { eventResult: "Failed", numberOfResults: 1 } });
  if (total === 0) return { check: "webhooks", result: "ok", detail: "no delivery has failed" };
  const hint =
    "GET /api/system/webhook-event-log/search?eventResult=Failed lists them; resend them when the receivers work again.";
  return { check: "webhooks", result: "warn", detail: `${total} deliveries have failed`, hint };
}

async function checkLambdas(identity: IdentityService): Promise<Finding> {
  const { length } = (await identity.lambdas.list()).lambdas;
  if (length === 0) return { check: "lambdas", result: "ok", detail: "there are none" };
  const lambda = { type: "JWTPopulate", body: "function populate(jwt) { jwt.checked = true; }" } as const;
  const answer = await identity.lambdas.test({ lambda }).then(JSON.stringify, (error: Error) => error.message);
  if (answer.includes('"checked":true')) return { check: "lambdas", result: "ok", detail: "a lambda ran" };
  const hint =
    "Install the package isolated-vm (npm install isolated-vm), or pass the option lambdas.runner. Each run fails until then.";
  return { check: "lambdas", result: "fail", detail: `no lambda can be run, and there are ${length}`, hint };
}

/** The result of a check. */
export interface Finding {
  readonly check: string;
  readonly result: "ok" | "warn" | "fail";
  readonly detail: string;
  /** The remedy. */
  readonly hint?: string;
}

/** The finding of a check that threw. The first sentence of the message is the problem; the rest is the remedy. */
export function toFailure(check: string, error: unknown, otherwise: string): Finding {
  const message = error instanceof Error ? error.message || error.name : String(error);
  const [detail = "", ...rest] = message.split(/\.\s+(?=[A-Z])/);
  return { check, result: "fail", detail: detail.replace(/\.$/, ""), hint: rest.length > 0 ? rest.join(". ") : otherwise };
}

const minKeyLength = 32;

/** Checks the environment variables that the server of `npm start` reads and commands do not. */
export function checkEnvironment({ terminal: { env } }: CommandCall): readonly Finding[] {
  const key = env.LATCHKEY_API_KEY;
  if (key === undefined || key.length >= minKeyLength) return [];
  const host = env.HOST ?? "127.0.0.1";
  const isLoopback = host === "localhost" || host === "::1" || /^127\./.test(host);
  const isRefused = env.NODE_ENV === "production" || !isLoopback;
  return [
    {
      check: "api-key",
      result: isRefused ? "fail" : "warn",
      detail: `LATCHKEY_API_KEY has fewer than ${minKeyLength} characters and can be guessed`,
      hint: `Set at least ${minKeyLength} random characters. A server refuses less in production, and where HOST is not a loopback address.`,
    },
  ];
}

export * as integrations from "./integrations/rules.js";
export * as webhookEventLogs from "./webhook-event-logs/rules.js";
export * as webhooks from "./webhooks/rules.js";

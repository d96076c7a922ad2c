import type { Requirement } from "./requirement.js";

const outbox = "docs/reference/events.md#outbox";
const page = "docs/sms.md";

/** The rules about text messages that a host sends. */
export const smsRequirements: Readonly<Record<string, Requirement>> = {
  "sms.send": { behaviour: "A host sends a text to a number or to a user's phone", section: page },
  "sms.input": { behaviour: "What is wrong with a text is told at once, by field", section: page },
  "sms.tenants": {
    behaviour: "A text is of one tenant, which sees its own users alone and takes its texts along",
    section: page,
  },
  "sms.outbox": {
    behaviour: "A text is kept in the transaction that sends it and leaves after the commit, or never",
    section: outbox,
  },
  "sms.sealed": { behaviour: "What waits says nothing in clear, and nothing at all once it is over", section: page },
  "sms.retry": { behaviour: "A text that was not taken is tried again with the same id, one that was is not", section: outbox },
  "sms.crash": { behaviour: "A text whose process died leaves from another one under the same id", section: outbox },
  "sms.given-up": { behaviour: "A text that is given up is in the event log, without number and text", section: page },
  "sms.wait": { behaviour: "Whoever waits is told whether the text was taken", section: page },
  "sms.not-configured": {
    behaviour: "Without a way to send a text is 400 [notConfigured]integrations.sms",
    section: "docs/reference/two-factor.md",
  },
  "sms.dry-run": { behaviour: "A dry run sends and keeps nothing", section: "docs/reference/wire.md#dry-run" },
  "sms.hostile": { behaviour: "A gateway that does not answer delays texts alone", section: page },
};

import type { RecordedEvent } from "./recorded-event.js";

/** The result of one attempt to deliver a unit to one receiver (docs/reference/events.md#event-log). */
export interface Attempt {
  readonly receiverId: string;
  /** Epoch milliseconds. */
  readonly startInstant: number;
  readonly endInstant: number;
  readonly isDelivered: boolean;
  readonly statusCode?: number | undefined;
  readonly url?: string | undefined;
  /** The reason for a missing answer, in a word. */
  readonly exception?: string | undefined;
}

/** How many receivers must agree before the cause of an event is stored (docs/reference/webhooks.md#transactional-events). */
export type TransactionType = "None" | "Any" | "SimpleMajority" | "SuperMajority" | "AbsoluteMajority";

/** The event settings of a tenant, by event type. */
export type TenantEventSettings = Readonly<
  Record<string, { readonly enabled: boolean; readonly transactionType: TransactionType } | undefined>
>;

/** The settings of tenants that one transaction has read. */
export interface TransactionSettings {
  readonly byTenant: Map<string, TenantEventSettings>;
  /** Publishes settings to other transactions. Call it only after this one has committed. */
  readonly share: (tenantId: string, settings: TenantEventSettings) => void;
}

/** An event that receivers must approve before its cause is stored. */
export interface ApprovalRequest {
  readonly event: RecordedEvent;
  readonly transactionType: TransactionType;
}

/** The answers of receivers, by event id. */
export type Answers = ReadonlyMap<string, readonly Attempt[]>;

/** The approval requests of one transaction: those answered before it, and those that it has raised. */
export interface TransactionApprovals {
  readonly answers: Answers;
  readonly open: ApprovalRequest[];
  readonly settings: TransactionSettings;
}

/** Whether `agreed` of the `asked` receivers are enough. Equality counts, so half of them is a `SimpleMajority`. */
const enough: Readonly<Record<TransactionType, (agreed: number, asked: number) => boolean>> = {
  None: () => true,
  Any: (agreed) => agreed > 0,
  SimpleMajority: (agreed, asked) => agreed * 2 >= asked,
  SuperMajority: (agreed, asked) => agreed * 3 >= asked * 2,
  AbsoluteMajority: (agreed, asked) => agreed === asked,
};

/** Whether enough receivers agreed. Without receivers, the event is approved. */
export function isApproved(type: TransactionType, agreed: number, asked: number): boolean {
  return asked === 0 || enough[type](agreed, asked);
}

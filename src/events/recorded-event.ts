/** An event as it leaves: the envelope and the members of its kind (facts.md 3.1). */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly createInstant: number;
  readonly tenantId?: string;
  readonly linkedObjectId?: string;
  readonly [member: string]: unknown;
}

/** A moderator's decision on content (docs/reference/integrations.md#moderation). */
export interface ModerationNotification {
  /** `contentApproval`; other types change nothing. */
  readonly type: string;
  /** The decisions, by the `moderationId` of users and registrations. */
  readonly approvals?: Readonly<Record<string, "approved" | "rejected">> | undefined;
  /** The moderator; not stored. */
  readonly moderatorId?: string | undefined;
}

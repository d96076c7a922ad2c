/** A decision that a moderator made on content (docs/reference/integrations.md#moderation). */
export interface ModerationNotification {
  /** `contentApproval`; other methods change nothing. */
  readonly type: string;
  /** What was decided, by the `moderationId` of users and registrations. */
  readonly approvals?: Readonly<Record<string, "approved" | "rejected">> | undefined;
  /** The moderator who decided; not stored. */
  readonly moderatorId?: string | undefined;
}

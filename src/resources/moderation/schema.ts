/** What the moderation tells of contents that somebody looked at (docs/reference/integrations.md#moderation). */
export interface ModerationNotification {
  /** `contentApproval`; what is told in other ways changes nothing. */
  readonly type: string;
  /** What was decided, by the `moderationId` of users and registrations. */
  readonly approvals?: Readonly<Record<string, "approved" | "rejected">> | undefined;
  readonly moderatorId?: string | undefined;
}

/** Whether others may see a username: `PENDING` until somebody looks at it, `REJECTED` when that went badly (docs/reference/integrations.md#moderation). */
export type UsernameStatus = (typeof usernameStatuses)[number];

/** What a {@link UsernameStatus} can be. */
export const usernameStatuses = ["ACTIVE", "PENDING", "REJECTED"] as const;

/** What a user or a registration says of its username. */
export interface Username {
  readonly username?: string | undefined;
  readonly usernameStatus: UsernameStatus;
  /** The username's id at the moderation service; absent when it was not moderated. */
  readonly moderationId?: string | undefined;
}

/** A username after moderation: `asked` is what the caller requested, `username` the result. */
export interface ValidatedUsername extends Username {
  readonly asked: string | undefined;
}

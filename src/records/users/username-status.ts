/**
 * Whether others may see a username: `PENDING` until a moderator decides, `REJECTED` after a negative decision
 * (docs/reference/integrations.md#moderation).
 */
export type UsernameStatus = (typeof usernameStatuses)[number];

/** The values of a {@link UsernameStatus}. */
export const usernameStatuses = ["ACTIVE", "PENDING", "REJECTED"] as const;

/** The username of a user or a registration. */
export interface Username {
  readonly username?: string | undefined;
  readonly usernameStatus: UsernameStatus;
  /** The username's id at the moderation service; absent without moderation. */
  readonly moderationId?: string | undefined;
}

/** A username after moderation: `asked` is the requested one, `username` the result. */
export interface ValidatedUsername extends Username {
  readonly asked: string | undefined;
}

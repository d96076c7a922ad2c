/** Whether others may see a username: `PENDING` until somebody looks at it, `REJECTED` when that went badly (docs/reference/integrations.md#moderation). */
export type UsernameStatus = "ACTIVE" | "PENDING" | "REJECTED";

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

/** What is stored with a username: the current state while the name is unchanged, else the result of moderation. */
export function toUsernameFields(
  username: string | undefined,
  judged: ValidatedUsername | undefined,
  current: Username | undefined,
): Omit<Username, "username"> {
  const known = [current, judged].find((one) => one !== undefined && one.username === username);
  // It changed during moderation, so a moderator must review it.
  const { usernameStatus, moderationId } = known ?? { usernameStatus: judged === undefined ? "ACTIVE" : "PENDING" };
  return { usernameStatus, moderationId };
}

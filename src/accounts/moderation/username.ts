/** Whether others may see a username: `PENDING` until somebody looks at it, `REJECTED` when that went badly (docs/reference/integrations.md#moderation). */
export type UsernameStatus = "ACTIVE" | "PENDING" | "REJECTED";

/** What a user or a registration says of its username. */
export interface Username {
  readonly username?: string | undefined;
  readonly usernameStatus: UsernameStatus;
  /** Names the username to the moderation; absent where it was not judged. */
  readonly moderationId?: string | undefined;
}

/** A username after it was judged: `asked` is what the caller wanted, `username` what it becomes. */
export interface JudgedUsername extends Username {
  readonly asked: string | undefined;
}

/** What is kept with a username: what there is while the name stays, else what was judged of it. */
export function toUsernameFields(
  username: string | undefined,
  judged: JudgedUsername | undefined,
  current: Username | undefined,
): Omit<Username, "username"> {
  const known = [current, judged].find((one) => one !== undefined && one.username === username);
  // It changed while it was judged: somebody has to look at it.
  const { usernameStatus, moderationId } = known ?? { usernameStatus: judged === undefined ? "ACTIVE" : "PENDING" };
  return { usernameStatus, moderationId };
}

/** The API reports as they were announced. */
export interface Announcement {
  /** The digest of all reports. */
  readonly reports: string;
  /** The digests of the changelog's entries. */
  readonly entries: readonly string[];
}

/** Whether the reports are as they were `before`, changed with an entry that is new, or changed without one. */
export function judgeAnnouncement(before: Announcement, now: Announcement): "same" | "new" | "unannounced" {
  if (before.reports === now.reports) return "same";
  return now.entries.some((entry) => !before.entries.includes(entry)) ? "new" : "unannounced";
}

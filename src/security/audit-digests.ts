import { hash } from "node:crypto";

/** An audit entry that waits for its link. */
export interface QueuedEntry {
  /** The SHA-256 digest of the stored entry, in hexadecimal digits. */
  readonly content: string;
  /** The instant of the entry, in epoch milliseconds. */
  readonly insertInstant: number;
  readonly number: number;
}

/** A link of the chain. */
export interface AuditLink extends QueuedEntry {
  /** The digest of this link, which includes all earlier ones by the previous digest. */
  readonly digest: string;
  /** The position in the chain, from one. */
  readonly position: number;
}

/** The SHA-256 digest of a text, in hexadecimal digits. */
export function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}

/** The digest of a link; `previous` is the digest of the previous link, empty for the first. */
export function digestOfLink(previous: string, { content, insertInstant, number, position }: Omit<AuditLink, "digest">): string {
  return digestOf([previous, position, number, insertInstant, content].join("\n"));
}

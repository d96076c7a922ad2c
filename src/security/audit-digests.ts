import { hash } from "node:crypto";

/** What the chain knows of an entry before it has its link. */
export interface QueuedEntry {
  /** The SHA-256 digest of the entry as it is stored, in hexadecimal digits. */
  readonly content: string;
  /** When the entry was made, in epoch milliseconds. */
  readonly insertInstant: number;
  readonly number: number;
}

/** A link of the chain. */
export interface AuditLink extends QueuedEntry {
  /** The digest of this link and, through the link before it, of all earlier ones. */
  readonly digest: string;
  /** The place in the chain, from one. */
  readonly position: number;
}

/** The SHA-256 digest of a text, in hexadecimal digits. */
export function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}

/** The digest of a link; `previous` is that of the link before, empty for the first one. */
export function digestOfLink(previous: string, { content, insertInstant, number, position }: Omit<AuditLink, "digest">): string {
  return digestOf([previous, position, number, insertInstant, content].join("\n"));
}

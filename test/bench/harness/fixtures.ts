import { randomUUID } from "node:crypto";

/** The bootstrap key of every server that wants one in `Authorization`. */
export const apiKey = "bench-bootstrap-key-0123456789abcdef";

/** A group as it is answered; `data` makes the whole answer about 600 bytes. */
export interface Group {
  readonly data: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly insertInstant: number;
  readonly lastUpdateInstant: number;
  readonly name: string;
  readonly roles: Readonly<Record<string, unknown>>;
  readonly tenantId: string;
}

export const tenantId = "30663132-6464-6665-3032-326466613934";

export const groupData = {
  displayName: "Editors of the northern region",
  description:
    "People who may change articles, pictures and captions, but who may not publish them without a second pair of eyes.",
  costCentre: 4711,
  external: false,
  labels: ["editorial", "north", "second-pair-of-eyes"],
  contact: { name: "Ada Example", mail: "ada@example.com", room: "B 2.117" },
  limits: { members: 250, invitations: 25, expiryDays: 90 },
} as const;

export const groupName = (index: number): string => `group-${String(index).padStart(7, "0")}`;

export const makeGroup = (index: number): Group => ({
  data: groupData,
  id: randomUUID(),
  insertInstant: 1_700_000_000_000,
  lastUpdateInstant: 1_700_000_000_000,
  name: groupName(index),
  roles: {},
  tenantId,
});

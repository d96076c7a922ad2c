import type { AccessRule } from "../../authenticate/access-list.js";
import type { BaseRecord } from "../../operations/family.js";
import { data, type LazySchema, lazily, list, name, object, option, text } from "../../schema/fields.js";
import { type IpAddress, parseIpAddress } from "../../values/ip-address.js";

/** What a caller may say about an access list (facts.md 9.3). */
export interface AccessListFields {
  readonly name: string;
  readonly data: Record<string, unknown>;
  /** Rules of which one has the start `*`: what happens to addresses that are in no range. */
  readonly entries: readonly AccessRule[];
}

/** A list of addresses that may or may not use what the list is assigned to (reference 2.1, facts.md 9.3). */
export interface AccessList extends BaseRecord, AccessListFields {}

/** The body of POST and PUT. The action of an entry is `Block` unless it says otherwise. */
export interface AccessListRequest {
  readonly ipAccessControlList: Pick<AccessListFields, "name"> &
    Partial<Pick<AccessListFields, "data">> & {
      readonly entries: readonly (Omit<AccessRule, "action"> & Partial<Pick<AccessRule, "action">>)[];
    };
}

/** A request whose defaults are filled in. */
export interface ParsedAccessListRequest {
  readonly ipAccessControlList: AccessListFields;
}

const maxEntries = 1_000;

export const accessListRequest: LazySchema<ParsedAccessListRequest> = lazily(() =>
  object({
    ipAccessControlList: object({
      name: name(),
      data: data().default({}),
      entries: list(
        object({
          action: option(["Allow", "Block"]).default("Block"),
          startIPAddress: text().trim(),
          endIPAddress: text().trim().optional(),
        }).superRefine((rule, context) => {
          for (const [field, kind] of complaintsAbout(rule)) context.addIssue({ code: "custom", path: [field], message: kind });
        }),
      )
        .min(1, { error: "empty" })
        .max(maxEntries, { error: "tooMany" })
        .refine((rules) => rules.length === 0 || rules.some((rule) => rule.startIPAddress === "*"), { error: "invalid" }),
    }),
  }),
);

type Complaint = readonly [field: keyof AccessRule, kind: "blank" | "invalid"];

function complaintsAbout({ startIPAddress, endIPAddress }: AccessRule): readonly Complaint[] {
  if (startIPAddress === "*") return [];
  const start = parseIpAddress(startIPAddress);
  const complaints: Complaint[] = [];
  if (start === undefined) complaints.push(["startIPAddress", startIPAddress === "" ? "blank" : "invalid"]);
  if (endIPAddress !== undefined && !isEndOf(start, endIPAddress)) complaints.push(["endIPAddress", "invalid"]);
  return complaints;
}

function isEndOf(start: IpAddress | undefined, text: string): boolean {
  const end = parseIpAddress(text);
  if (end === undefined || start === undefined) return end !== undefined;
  return end.version === start.version && end.value >= start.value;
}

import type { AccessRule } from "../../http/authenticate/access-list.js";
import { data, list, name, object, option, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { type IpAddress, parseIpAddress } from "../../shared/ip-address.js";

/** Writable fields of an access list (docs/reference/api-keys.md#access-lists). */
export interface AccessListFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Address ranges with their actions; exactly one entry has the start `*` and covers all other addresses. */
  readonly entries: readonly AccessRule[];
}

/**
 * An IP access list that allows or blocks addresses (docs/reference/api-keys.md#fields,
 * docs/reference/api-keys.md#access-lists).
 */
export interface AccessList extends BaseRecord, AccessListFields {}

/** The body of POST and PUT. The default action of an entry is `Block`. */
export interface AccessListRequest {
  /** The fields of the list: 1 to 1,000 entries, of which exactly one has the start `*`. */
  readonly ipAccessControlList: Pick<AccessListFields, "name"> &
    Partial<Pick<AccessListFields, "data">> & {
      readonly entries: readonly (Omit<AccessRule, "action"> & Partial<Pick<AccessRule, "action">>)[];
    };
}

export type ParsedAccessListRequest = { readonly ipAccessControlList: AccessListFields };

const maxEntries = 1_000;

export const accessListRequest: Schema<ParsedAccessListRequest> = object({
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
      .refine((rules) => rules.length === 0 || rules.some(isDefault), { error: "invalid" })
      .overwrite(normalise),
  }),
});

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

// Keeps the first `*` rule only, and sorts the rules by their texts (docs/reference/api-keys.md#access-lists).
function normalise(rules: readonly AccessRule[]): AccessRule[] {
  const first = rules.findIndex(isDefault);
  return rules
    .filter((rule, index) => !isDefault(rule) || index === first)
    .map(toCanonical)
    .sort(byTexts);
}

function isDefault(rule: AccessRule): boolean {
  return rule.startIPAddress === "*";
}

function toCanonical({ action, startIPAddress, endIPAddress }: AccessRule): AccessRule {
  if (startIPAddress === "*") return { action, startIPAddress };
  return { action, startIPAddress: canonical(startIPAddress), endIPAddress: endIPAddress && canonical(endIPAddress) };
}

function canonical(address: string): string {
  return parseIpAddress(address)?.text ?? address;
}

function byTexts(a: AccessRule, b: AccessRule): number {
  return compare(a.startIPAddress, b.startIPAddress) || compare(a.endIPAddress ?? "", b.endIPAddress ?? "");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

import { api } from "../../app/api.js";
import type { Translate } from "../../kit/i18n.js";
import { Badge, DateText } from "../../kit/values.js";
import { crudOf } from "../records/crud.js";
import { type AnyRecord, defineFamilyRow, type FamilyRow } from "../records/family-row.js";
import { searched, toCriteria } from "../records/pages.js";
import { KeyDetails } from "./key-details.js";
import { RotateSigningKey } from "./rotate-signing-key.js";

/** A signing key as the API shows it. */
export interface SigningKey extends AnyRecord {
  readonly name: string;
  readonly algorithm: string;
  readonly type: string;
  readonly kid: string;
  readonly hasPrivateKey: boolean;
  readonly insertInstant: number;
  readonly length?: number | undefined;
  readonly issuer?: string | undefined;
  readonly expirationInstant?: number | undefined;
  readonly publicKey?: string | undefined;
  readonly certificate?: string | undefined;
}

/** The algorithms for which the service generates keys. */
export const algorithms = ["ES256", "ES384", "ES512", "Ed25519", "RS256", "RS384", "RS512", "HS256", "HS384", "HS512"];

const options = algorithms.map((value) => ({ value, label: value }));

/** Signing keys, generated or imported. Private keys and secrets are never shown; only the name can change. */
export const keyRow: FamilyRow<SigningKey> = defineFamilyRow({
  family: "signingKeys",
  path: "/keys",
  endpoint: "/api/key",
  messages: "keys",
  schema: "Key",
  member: "key",
  titleOf: ({ name }) => name,
  columns: (t: Translate) => [
    { id: "name", label: t("name"), sort: "name", cell: ({ name }) => name },
    { id: "algorithm", label: t("algorithm"), sort: "algorithm", cell: ({ algorithm }) => <code>{algorithm}</code> },
    {
      id: "signs",
      label: t("signs"),
      cell: ({ hasPrivateKey, type }) => (
        <Badge kind={hasPrivateKey || type === "HMAC" ? "good" : "neutral"}>
          {t(hasPrivateKey || type === "HMAC" ? "signsYes" : "signsNo")}
        </Badge>
      ),
    },
    { id: "kid", label: "kid", hidden: true, cell: ({ kid }) => <code>{kid}</code> },
    { id: "expires", label: t("expires"), cell: ({ expirationInstant }) => <DateText value={expirationInstant} /> },
    { id: "created", label: t("created"), cell: ({ insertInstant }) => <DateText value={insertInstant} /> },
  ],
  filters: (t) => [{ id: "algorithm", label: t("algorithm"), kind: "choice", options }],
  list: (page) =>
    searched(
      api.keys.search({ search: toCriteria(page, { name: page.query }) }, { signal: page.signal }),
      ({ keys }) => keys ?? [],
    ),
  crud: crudOf({ ...api.keys, create: api.keys.generate }, "keyId"),
  beside: (shown) => shown && <KeyDetails signingKey={shown.record} />,
  tabs: ({ record }, t) => [{ id: "rotation", label: t("rotation"), render: () => <RotateSigningKey signingKey={record} /> }],
  hasUsers: true,
});

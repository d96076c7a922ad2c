import { lambdaTypes } from "../../../src/lambdas/types/lambda-types.js";
import { api } from "../../app/api.js";
import type { Translate } from "../../kit/i18n.js";
import { Badge, DateText } from "../../kit/values.js";
import { crudOf } from "../records/crud.js";
import { type AnyRecord, defineFamilyRow, type FamilyRow } from "../records/family-row.js";
import { searched, toCriteria } from "../records/pages.js";
import { bodyControl, typeControl } from "./editing.js";
import { LambdaHistory } from "./lambda-history.js";
import { TryLambda } from "./try-lambda.js";

interface LambdaRow extends AnyRecord {
  readonly name: string;
  readonly type: string;
  readonly body: string;
  readonly debug: boolean;
  readonly lastUpdateInstant: number;
}

const types = Object.keys(lambdaTypes).map((type) => ({ value: type, label: type }));

/** Lambdas: their bodies, runs and history. */
export const lambdaRow: FamilyRow<LambdaRow> = defineFamilyRow({
  family: "lambdas",
  path: "/lambdas",
  endpoint: "/api/lambda",
  messages: "lambdas",
  schema: "Lambda",
  member: "lambda",
  titleOf: ({ name }) => name,
  columns: (t: Translate) => [
    { id: "name", label: t("name"), sort: "name", cell: ({ name }) => name },
    { id: "type", label: t("type"), cell: ({ type }) => <code>{type}</code> },
    { id: "debug", label: t("debug"), cell: ({ debug }) => debug && <Badge kind="warn">{t("debugOn")}</Badge> },
    { id: "changed", label: t("changed"), cell: ({ lastUpdateInstant }) => <DateText value={lastUpdateInstant} /> },
  ],
  filters: (t) => [{ id: "type", label: t("type"), kind: "choice", options: types }],
  list: (page) =>
    searched(
      api.lambdas.search({ search: toCriteria(page, { name: page.query }) }, { signal: page.signal }),
      ({ lambdas }) => lambdas ?? [],
    ),
  crud: crudOf(api.lambdas, "lambdaId"),
  hide: ["engineType", "enabled"],
  fixed: ["type"],
  initial: { type: "JWTPopulate" },
  layout: (t) => [{ title: t("lambdas.one"), fields: ["name", "type", "debug", "body"] }],
  controls: { body: bodyControl, type: typeControl },
  beside: (shown) => <TryLambda draft={shown?.record.id ?? "new"} type={shown?.record.type} />,
  tabs: ({ etag, record, reload }, t) => [
    { id: "history", label: t("history"), render: () => <LambdaHistory lambda={record} etag={etag} onRestored={reload} /> },
  ],
  hasUsers: true,
});

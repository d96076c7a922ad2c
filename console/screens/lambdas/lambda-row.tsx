import { api } from "../../app/api.js";
import type { Translate } from "../../kit/i18n.js";
import { Badge, DateText } from "../../kit/values.js";
import { crudOf } from "../records/crud.js";
import { type AnyRecord, defineFamilyRow, type FamilyRow } from "../records/family-row.js";
import { searched, toCriteria } from "../records/pages.js";
import { chainControl } from "./chain-control.js";
import { typeOptions } from "./completions.js";
import { bodyControl, typeControl } from "./editing.js";
import { LambdaHistory } from "./lambda-history.js";
import { modulesControl } from "./modules-control.js";
import { rolloutControl } from "./rollout-control.js";
import { TryLambda } from "./try-lambda.js";
import type { NamedModule } from "./versions.js";

interface LambdaRow extends AnyRecord {
  readonly name: string;
  readonly type: string;
  readonly body: string;
  readonly debug: boolean;
  readonly modules?: readonly NamedModule[] | undefined;
  readonly rollout?: { readonly percent: number; readonly version: number } | undefined;
  readonly lastUpdateInstant: number;
}

/** Lambdas, with their bodies, test runs, and history. */
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
  filters: (t) => [{ id: "type", label: t("type"), kind: "choice", options: typeOptions }],
  list: (page) =>
    searched(
      api.lambdas.search({ search: toCriteria(page, { name: page.query }) }, { signal: page.signal }),
      ({ lambdas }) => lambdas ?? [],
    ),
  crud: crudOf(api.lambdas, "lambdaId"),
  hide: ["engineType", "enabled"],
  fixed: ["type"],
  initial: { type: "JWTPopulate" },
  layout: (t) => [
    { title: t("lambdas.one"), fields: ["name", "type", "debug", "body"] },
    { title: t("together"), fields: ["modules", "chain", "rollout"] },
  ],
  controls: { body: bodyControl, chain: chainControl, modules: modulesControl, rollout: rolloutControl, type: typeControl },
  beside: (shown, values) => <TryLambda stored={shown?.record} modules={values["modules"]} />,
  tabs: ({ etag, record, reload }, t) => [
    { id: "history", label: t("history"), render: () => <LambdaHistory lambda={record} etag={etag} onRestored={reload} /> },
  ],
  hasUsers: true,
});

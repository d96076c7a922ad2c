import "./records.css";
import { Link } from "wouter-preact";
import { may } from "../../app/session.js";
import { DataList } from "../../kit/data-list/index.js";
import { useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { Screen } from "../../kit/screen.js";
import type { AnyRecord, FamilyRow } from "./family-row.js";
import { Siblings } from "./siblings.js";

interface FamilyListProps<Shown extends AnyRecord> {
  readonly row: FamilyRow<Shown>;
}

/** The list screen of a family. */
export function FamilyList<Shown extends AnyRecord>({ row }: FamilyListProps<Shown>) {
  const t = useMessages(row.messages);
  const { endpoint, family, path } = row;
  const add = (
    <Link class="button primary" href={`${path}/new`}>
      <Icon name="plus" /> {t(`${family}.add`)}
    </Link>
  );
  const mayAdd = may("POST", endpoint === "/api/key" ? "/api/key/generate" : endpoint);
  return (
    <Screen title={t(`${family}.many`)} subtitle={t(`${family}.about`)} actions={mayAdd && add}>
      {row.siblings && <Siblings messages={row.messages} rows={row.siblings} path={path} />}
      <DataList
        name={family}
        label={t(`${family}.many`)}
        searchLabel={t(`${family}.search`)}
        columns={row.columns(t)}
        {...(row.filters && { filters: row.filters(t) })}
        load={row.list}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `${path}/${id}`}
        empty={mayAdd && add}
      />
    </Screen>
  );
}

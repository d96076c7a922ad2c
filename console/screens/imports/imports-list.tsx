import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { tenantId } from "../../app/tenant.js";
import { useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { useLoad } from "../../kit/load.js";
import { Empty, Failed, Loading, Screen } from "../../kit/screen.js";
import { TableFrame } from "../../kit/table-frame.js";
import { Badge, DateText } from "../../kit/values.js";
import { kindOf } from "./import-job.js";

/** The list of the import jobs of the last days. */
export default function ImportsList() {
  const t = useMessages("imports");
  const { error, reload, value } = useLoad(async () => unwrap(await api.importJobs.list({})).jobs ?? [], [tenantId.value]);
  const actions = may("POST", "/api/user/import/job") && (
    <Link href="/imports/new" class="button primary">
      <Icon name="plus" />
      {t("new")}
    </Link>
  );
  return (
    <Screen title={t("title")} actions={actions} subtitle={t("subtitle")}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.length === 0 && <Empty title={t("none")}>{actions}</Empty>}
      {value !== undefined && value.length > 0 && (
        <TableFrame label={t("title")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("started")}</th>
                <th scope="col">{t("state")}</th>
                <th scope="col" class="end">
                  {t("rows")}
                </th>
                <th scope="col" class="end">
                  {t("failed")}
                </th>
              </tr>
            </thead>
            <tbody>
              {value.map(({ dryRun, failed, id, insertInstant, state, total }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link href={`/imports/${id}`}>
                      <DateText value={insertInstant} exact />
                    </Link>{" "}
                    {dryRun && <Badge>{t("dryRun")}</Badge>}
                  </th>
                  <td>
                    <Badge kind={kindOf(state)}>{t(`state.${state}`)}</Badge>
                  </td>
                  <td class="end">{total}</td>
                  <td class="end">{failed}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Screen>
  );
}

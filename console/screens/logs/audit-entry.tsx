import "../records/records.css";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import { Diff } from "../../kit/diff/diff.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { DateText, Facts } from "../../kit/values.js";

/** One entry of the audit log, with a diff of its change. */
export function AuditEntryScreen({ id }: { readonly id: string }) {
  const t = useMessages("logs");
  const { error, reload, value } = useLoad(
    async (signal) => unwrap(await api.auditLogs.retrieve({ auditLogId: Number(id) }, { signal })).auditLog,
    [id],
  );
  const userId = value === undefined ? undefined : /^user:(.+)$/.exec(value.insertUser)?.[1];
  return (
    <Screen title={value?.message ?? t("entry")} crumbs={[{ label: t("audit"), href: "/logs/audit" }]}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <>
          <Panel>
            <Facts
              rows={[
                [t("when"), <DateText key="when" value={value.insertInstant} exact />],
                [
                  t("who"),
                  userId === undefined ? (
                    <code>{value.insertUser}</code>
                  ) : (
                    <Link href={`/users/${userId}`}>{value.insertUser}</Link>
                  ),
                ],
                [t("reason"), value.reason],
                [t("tenant"), value.tenantId],
              ]}
            />
          </Panel>
          <Panel title={t("changes")}>
            <Diff before={value.oldValue ?? {}} after={value.newValue ?? {}} />
          </Panel>
        </>
      )}
    </Screen>
  );
}

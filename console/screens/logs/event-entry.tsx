import "../records/records.css";
import { api, unwrap } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { Badge, DateText, Facts } from "../../kit/values.js";
import { eventKinds } from "./event-list.js";

/** One entry of the event log. */
export function EventEntryScreen({ id }: { readonly id: string }) {
  const t = useMessages("logs");
  const { error, reload, value } = useLoad(
    async (signal) => unwrap(await api.eventLogs.retrieve({ eventLogId: Number(id) }, { signal })).eventLog,
    [id],
  );
  return (
    <Screen title={t("entryNumber", { id })} crumbs={[{ label: t("events"), href: "/logs/events" }]}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <Panel>
          <Facts
            rows={[
              [
                t("type"),
                <Badge key="type" kind={eventKinds[value.type]}>
                  {t(`type.${value.type}`)}
                </Badge>,
              ],
              [t("when"), <DateText key="when" value={value.insertInstant} exact />],
            ]}
          />
          <pre class="code">{value.message}</pre>
        </Panel>
      )}
    </Screen>
  );
}

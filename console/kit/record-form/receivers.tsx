import { api, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { useMessages } from "../i18n.js";
import { useLoad } from "../load.js";
import { Badge } from "../values.js";

/** The events that a change publishes, with the number of webhooks that receive each. */
export function Receivers({ events }: { readonly events: readonly string[] }) {
  const t = useMessages("console");
  const { value } = useLoad(async () => {
    if (!may("GET", "/api/webhook")) return undefined;
    const webhooks = unwrap(await api.webhooks.list({})).webhooks ?? [];
    return events.map((event) => webhooks.filter(({ eventsEnabled = {} }) => eventsEnabled[event] === true).length);
  }, [events.join()]);
  return (
    <ul class="stack">
      {events.map((event, index) => (
        <li key={event} class="row">
          <Badge kind="accent">{event}</Badge>
          {value !== undefined && <span>{t("receivers", { count: value[index] ?? 0 })}</span>}
        </li>
      ))}
    </ul>
  );
}

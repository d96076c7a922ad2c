import type { ClientCallOptions, Result } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { Loading, Panel } from "../../kit/screen.js";
import { useUsedBy } from "./use-used-by.js";

/** Shows the references to a record, as a dry run of its removal reports them. */
export function UsedBy({ id, remove }: { readonly id: string; remove(options: ClientCallOptions): Promise<Result<unknown>> }) {
  const t = useMessages("records");
  const { isLoading, value } = useUsedBy(remove, id);
  return (
    <Panel title={t("usedBy")}>
      {isLoading && <Loading lines={1} />}
      {!isLoading && value === undefined && <p class="hint">{t("usedByUnknown")}</p>}
      {value === "" && <p class="hint">{t("usedByNobody")}</p>}
      {value !== undefined && value !== "" && (
        <ul class="used-by">
          {value.split(", ").map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

import type { ScreenParams } from "../../app/area.js";
import { config } from "../../app/config.js";
import { useMessages } from "../../kit/i18n.js";
import { Empty, Screen } from "../../kit/screen.js";

/** Shows a page of the host in its own frame. */
export default function Extension({ params: { id } }: ScreenParams) {
  const t = useMessages("console");
  const tab = config.tabs.find((one) => one.id === id);
  if (tab === undefined)
    return (
      <Screen title={t("noScreen")}>
        <Empty title={t("noScreenText")} />
      </Screen>
    );
  return (
    <Screen title={tab.label}>
      <iframe class="extension" src={tab.url} title={tab.label} />
    </Screen>
  );
}

import "../records/records.css";
import { useMessages } from "../../kit/i18n.js";
import { Panel, Screen } from "../../kit/screen.js";
import { CopyButton } from "../../kit/values.js";

const commands = [
  ["configExport", "latchkey export > identity.json"],
  ["configPlan", "latchkey plan identity.json --out plan.json"],
  ["configApply", 'latchkey apply plan.json --reason "Ticket 4711"'],
] as const;

/** Explains configuration documents. The host exports, plans, and applies them, because the API has no endpoint for that. */
export function ConfigurationScreen() {
  const t = useMessages("settings");
  return (
    <Screen title={t("configuration")} subtitle={t("configurationAbout")}>
      <Panel>
        <p class="banner warn">{t("configOfHost")}</p>
      </Panel>
      {commands.map(([label, command]) => (
        <Panel key={label} title={t(label)} actions={<CopyButton text={command} />}>
          <p>{t(`${label}Text`)}</p>
          <pre class="code">{command}</pre>
        </Panel>
      ))}
    </Screen>
  );
}

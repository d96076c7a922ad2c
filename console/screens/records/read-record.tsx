import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";

const secret = /password|secret|token|apiKey|headers|privateKey/i;

/** Shows a record read-only, as the API returns it. Masks secrets and shows multi-line texts separately. */
export function ReadRecord({ record }: { readonly record: object }) {
  const t = useMessages("records");
  const members = Object.entries(record);
  const long = members.filter((member): member is [string, string] => typeof member[1] === "string" && member[1].includes("\n"));
  const rest = Object.fromEntries(members.filter(([name]) => !long.some(([other]) => other === name)));
  const text = JSON.stringify(rest, (name, value: unknown) => (secret.test(name) && value !== "" ? "•••" : value), 2);
  return (
    <>
      <Panel title={t("readOnly")}>
        <pre class="code">{text}</pre>
      </Panel>
      {long.map(([name, lines]) => (
        <Panel key={name} title={name}>
          <pre class="code">{secret.test(name) ? "•••" : lines}</pre>
        </Panel>
      ))}
    </>
  );
}

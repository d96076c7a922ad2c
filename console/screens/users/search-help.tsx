import { useMessages } from "../../kit/i18n.js";

const examples = [
  ["ada", "help.word"],
  ['email:"*@example.com"', "help.wildcard"],
  ["active:false AND lastName:hopper", "help.and"],
  ["NOT registrations.roles:admin", "help.not"],
  ["data.department:sales", "help.data"],
] as const;

/** Explains the search grammar by examples. */
export function SearchHelp() {
  const t = useMessages("users");
  return (
    <>
      <p>{t("help.text")}</p>
      <dl class="facts">
        {examples.map(([query, text]) => (
          <div key={query}>
            <dt>
              <code>{query}</code>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">{t("help.fields")}</p>
    </>
  );
}

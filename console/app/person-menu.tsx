import { Popover } from "../kit/data-list/toolbar.js";
import { Field, Select } from "../kit/field.js";
import { locale, nameOfLocale, useMessages } from "../kit/i18n.js";
import { Icon } from "../kit/icons.js";
import { config } from "./config.js";
import { chooseLocale, hasSingleKeys, type Theme, theme } from "./preferences.js";
import { session, signOut } from "./session.js";

const themes: readonly Theme[] = ["system", "light", "dark"];

/** The menu with the signed-in person's name and role, the display preferences, and the sign-out button. */
export function PersonMenu() {
  const t = useMessages("console");
  const { role, user } = session.value ?? {};
  const name = user?.fullName ?? user?.email ?? user?.username ?? "";
  const body = (
    <div class="person-menu stack">
      <div>
        <strong>{name}</strong>
        <div class="faint">{t(`role.${role}`)}</div>
      </div>
      <Field label={t("theme")}>
        <Select
          value={theme.value}
          options={themes.map((value) => ({ value, label: t(`theme.${value}`) }))}
          onChange={(value) => (theme.value = themes.find((one) => one === value) ?? "system")}
        />
      </Field>
      <Field label={t("language")}>
        <Select
          value={locale.value}
          options={config.locales.map((value) => ({ value, label: nameOfLocale(value) }))}
          onChange={chooseLocale}
        />
      </Field>
      <label class="menu-item">
        <input type="checkbox" checked={hasSingleKeys.value} onChange={() => (hasSingleKeys.value = !hasSingleKeys.value)} />
        <span>{t("singleKeys")}</span>
      </label>
      <button type="button" class="button" onClick={signOut}>
        {t("signOut")}
      </button>
      <div class="faint">{config.version}</div>
    </div>
  );
  const button = (
    <>
      <Icon name="person" />
      <span class="person-name">{name}</span>
    </>
  );
  return <Popover label={t("personMenu", { name })} button={button} body={body} />;
}

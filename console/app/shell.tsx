import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { locale, useMessages } from "../kit/i18n.js";
import { Icon } from "../kit/icons.js";
import type { Area, AreaGroup } from "./area.js";
import { shownAreas } from "./areas.js";
import { config } from "./config.js";
import { isPaletteOpen } from "./palette.js";
import { PersonMenu } from "./person-menu.js";
import { TenantSwitch } from "./tenant-switch.js";

const groups: readonly AreaGroup[] = ["home", "people", "access", "delivery", "content", "records", "system"];

/** The frame of every screen: a skip link, the navigation, the tenant switch, the search and the person's menu. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const t = useMessages("console");
  const [isOpen, setOpen] = useState(false);
  return (
    <div class={`shell${isOpen ? " navigation-open" : ""}`}>
      <button type="button" class="skip" onClick={skip}>
        {t("skip")}
      </button>
      <header class="top">
        <button
          type="button"
          class="button quiet icon-only menu-button"
          aria-expanded={isOpen}
          aria-label={t("menu")}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
        </button>
        <Link href="/" class="brand">
          {config.brand.logoUrl !== undefined && <img src={config.brand.logoUrl} alt="" />}
          <span>{config.brand.name}</span>
        </Link>
        <TenantSwitch />
        <button type="button" class="palette-button" onClick={() => (isPaletteOpen.value = true)}>
          <Icon name="search" />
          <span>{t("palette")}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <PersonMenu />
      </header>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the Enter key on a link fires a click. */}
      <nav class="navigation" aria-label={t("navigation")} onClick={() => setOpen(false)}>
        {groups.map((group) => (
          <NavigationGroup key={group} group={group} />
        ))}
        <HostLinks />
      </nav>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function skip(): void {
  document.getElementById("main")?.focus();
}

function NavigationGroup({ group }: { readonly group: AreaGroup }) {
  const t = useMessages("console");
  const found = shownAreas().filter((area) => area.group === group);
  if (found.length === 0) return null;
  return (
    <div class="navigation-group">
      {group !== "home" && <h2>{t(`group.${group}`)}</h2>}
      <ul>
        {found.map((area) => (
          <NavigationItem key={area.name} area={area} />
        ))}
      </ul>
    </div>
  );
}

function NavigationItem({ area }: { readonly area: Area }) {
  const [path] = useLocation();
  const own = area.path ?? "/";
  const isHere = own === "/" ? path === "/" : path === own || path.startsWith(`${own}/`);
  return (
    <li>
      <Link href={own} aria-current={isHere ? "page" : undefined}>
        <Icon name={area.icon} />
        <span>{labelOf(area)}</span>
      </Link>
    </li>
  );
}

/** The name of an area in the language of the page. */
export function labelOf({ label }: Area): string {
  return locale.value === "de" ? label.de : label.en;
}

function HostLinks() {
  const t = useMessages("console");
  const { links, tabs } = config;
  if (links.length + tabs.length === 0) return null;
  return (
    <div class="navigation-group">
      <h2>{t("group.host")}</h2>
      <ul>
        {tabs.map(({ id, label }) => (
          <li key={id}>
            <Link href={`/extension/${id}`}>
              <Icon name="applications" />
              <span>{label}</span>
            </Link>
          </li>
        ))}
        {links.map(({ href, label }) => (
          <li key={href}>
            <a href={href} rel="noopener noreferrer">
              <Icon name="external" />
              <span>{label}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

import { useState } from "preact/hooks";
import { Dialog } from "../kit/dialog.js";
import { useMessages } from "../kit/i18n.js";
import { Icon } from "../kit/icons.js";
import { useLoad } from "../kit/load.js";
import { pickables } from "../kit/pickable.js";
import { Picker } from "../kit/picker.js";
import { may } from "./session.js";
import { goToTenant, tenantId } from "./tenant.js";

/** The tenant of the address, and a dialog that searches for another tenant. */
export function TenantSwitch() {
  const t = useMessages("console");
  const [isOpen, setOpen] = useState(false);
  const id = tenantId.value;
  const { value } = useLoad(async () => (id === undefined ? undefined : await pickables.tenant.name(id)), [id]);
  if (!may("GET", "/api/tenant")) return null;
  const choose = (chosen: string | undefined): void => {
    setOpen(false);
    goToTenant(chosen);
  };
  return (
    <>
      <button type="button" class="tenant-switch" onClick={() => setOpen(true)} aria-haspopup="dialog">
        <Icon name="tenants" />
        <span class="unseen">{t("tenant")}: </span>
        <span>{id === undefined ? t("allTenants") : (value?.label ?? id)}</span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <Dialog title={t("switchTenant")} onClose={() => setOpen(false)} size="small">
          <div class="stack tenant-dialog">
            <Picker
              family="tenant"
              value={id ?? ""}
              onChange={(chosen) => choose(chosen || undefined)}
              aria-label={t("tenant")}
            />
            <button type="button" class="button" onClick={() => choose(undefined)}>
              {t("allTenants")}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { Field, Select } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import type { ShownApiKey } from "./api-key-row.js";
import { ShownOnce } from "./shown-once.js";

const hour = 3_600;
const gracePeriods = { now: 0, hour, day: 24 * hour, week: 168 * hour } as const;

interface RotateProps {
  readonly apiKey: ShownApiKey;
  onChanged(): void;
}

/** Rotates an API key: issues a new value and keeps the previous one valid for a grace period. */
export function RotateApiKey({ apiKey, onChanged }: RotateProps) {
  const t = useMessages("keys");
  const [isAsking, setAsking] = useState(false);
  const [term, setTerm] = useState<keyof typeof gracePeriods>("day");
  const [value, setValue] = useState<string>();
  const rotate = async (auditReason: string | undefined): Promise<void> => {
    const request = { keyId: apiKey.id, gracePeriodInSeconds: gracePeriods[term] };
    setValue(unwrap(await api.apiKeys.rotate(request, { auditReason })).apiKey.key);
    notify(t("rotatedKey"));
    onChanged();
  };
  const termOptions = Object.keys(gracePeriods).map((name) => ({ value: name, label: t(`term.${name}`) }));
  const toTerm = (name: string): void => setTerm(isTerm(name) ? name : "day");
  return (
    <>
      {value !== undefined && <ShownOnce value={value} />}
      <Panel title={t("rotation")}>
        <p>{t("rotateKeyHint")}</p>
        <Field label={t("endsIn")}>
          <Select value={term} options={termOptions} onChange={toTerm} />
        </Field>
        <div class="actions">
          <button type="button" class="button primary" onClick={() => setAsking(true)}>
            {t("rotateKey")}
          </button>
        </div>
      </Panel>
      {isAsking && (
        <DangerDialog title={t("rotateKey")} confirmLabel={t("rotateKey")} onConfirm={rotate} onClose={() => setAsking(false)}>
          <p>{t("rotateKeyHint")}</p>
        </DangerDialog>
      )}
    </>
  );
}

function isTerm(name: string): name is keyof typeof gracePeriods {
  return Object.hasOwn(gracePeriods, name);
}

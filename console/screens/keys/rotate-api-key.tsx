import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { Field, Select } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import type { ShownApiKey } from "./api-key-row.js";
import { ShownOnce } from "./shown-once.js";

const hour = 3_600_000;
const terms = [
  ["hour", hour],
  ["day", 24 * hour],
  ["week", 168 * hour],
] as const;

interface RotateProps {
  readonly apiKey: ShownApiKey;
  readonly etag: string | undefined;
  onChanged(): void;
}

/** A new key with the grants of this one, and an end for this one. */
export function RotateApiKey({ apiKey, etag, onChanged }: RotateProps) {
  const t = useMessages("keys");
  const [isAsking, setAsking] = useState(false);
  const [term, setTerm] = useState("day");
  const [made, setMade] = useState<{ readonly id: string; readonly key: string }>();
  const rotate = async (auditReason: string | undefined): Promise<void> => {
    const name = `${apiKey.name ?? apiKey.id} ${new Date().toISOString().slice(0, 16)}`;
    const request = { apiKey: { name, retrievable: false }, sourceKeyId: apiKey.id };
    const created = unwrap(await api.apiKeys.create(request, { auditReason })).apiKey;
    setMade({ id: created.id, key: created.key ?? "" });
    const expirationInstant = Date.now() + (terms.find(([name]) => name === term)?.[1] ?? hour);
    unwrap(
      await api.apiKeys.patch(
        { keyId: apiKey.id, patch: { apiKey: { expirationInstant } }, mode: "merge" },
        { auditReason, ifMatch: etag },
      ),
    );
    notify(t("rotatedKey"));
    onChanged();
  };
  return (
    <>
      {made !== undefined && (
        <ShownOnce value={made.key}>
          <Link class="button" href={`/api-keys/${made.id}`}>
            {t("openKey")}
          </Link>
        </ShownOnce>
      )}
      <Panel title={t("rotation")}>
        <p>{t("rotateKeyHint")}</p>
        <Field label={t("endsIn")}>
          <Select value={term} options={terms.map(([value]) => ({ value, label: t(`term.${value}`) }))} onChange={setTerm} />
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

import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, sayFailure } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { UsedBy } from "../records/used-by.js";
import type { SigningKey } from "./key-row.js";

/** Guides through a rotation: generate a successor of the same kind, move its users, and retire the previous key. */
export function RotateSigningKey({ signingKey }: { readonly signingKey: SigningKey }) {
  const t = useMessages("keys");
  const [made, setMade] = useState<{ readonly id: string; readonly name: string }>();
  const [failure, setFailure] = useState<string>();
  const generate = async (): Promise<void> => {
    const { algorithm, length } = signingKey;
    const name = `${signingKey.name} ${new Date().toISOString().slice(0, 16)}`;
    const key = { name, algorithm, ...(length !== undefined && algorithm.startsWith("RS") && { length }) };
    const result = await api.keys.generate({ key } as Parameters<typeof api.keys.generate>[0]);
    if (result.ok) setMade({ id: result.value.key.id, name });
    setFailure(result.ok ? undefined : sayFailure(result));
  };
  return (
    <>
      <Panel title={t("rotation")}>
        <ol class="steps">
          <li>
            <p>{t("rotateStep1")}</p>
            <button type="button" class="button primary" disabled={made !== undefined} onClick={() => void generate()}>
              {t("generateSuccessor")}
            </button>
            <p role="status">
              {made && (
                <>
                  {t("successor")} <Link href={`/keys/${made.id}`}>{made.name}</Link>
                </>
              )}
            </p>
            {failure !== undefined && <p class="banner bad">{failure}</p>}
          </li>
          <li>{t("rotateStep2")}</li>
          <li>{t("rotateStep3")}</li>
        </ol>
      </Panel>
      <UsedBy id={signingKey.id} remove={(options) => api.keys.remove({ keyId: signingKey.id }, options)} />
    </>
  );
}

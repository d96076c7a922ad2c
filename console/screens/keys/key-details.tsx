import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { CopyButton, DateText, Facts } from "../../kit/values.js";
import type { SigningKey } from "./key-row.js";

/** The metadata of a signing key, with its public key. */
export function KeyDetails({ signingKey: key }: { readonly signingKey: SigningKey }) {
  const t = useMessages("keys");
  const rows = [
    [t("algorithm"), `${key.algorithm} (${key.type}${key.length === undefined ? "" : `, ${key.length} bit`})`],
    ["kid", <code key="kid">{key.kid}</code>],
    [t("privateHalf"), t(key.hasPrivateKey ? "stored" : "notStored")],
    [t("issuer"), key.issuer ?? "–"],
    [t("created"), <DateText key="created" value={key.insertInstant} exact />],
    [t("expires"), <DateText key="expires" value={key.expirationInstant} exact />],
  ] as const;
  return (
    <>
      <Panel title={t("details")}>
        <Facts rows={rows} />
      </Panel>
      {key.publicKey !== undefined && <Pem title={t("publicKey")} text={key.publicKey} />}
      {key.certificate !== undefined && <Pem title={t("certificate")} text={key.certificate} />}
    </>
  );
}

function Pem({ text, title }: { readonly title: string; readonly text: string }) {
  return (
    <Panel title={title} actions={<CopyButton text={text} />}>
      <pre class="code">{text}</pre>
    </Panel>
  );
}

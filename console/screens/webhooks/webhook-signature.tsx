import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { Badge, Facts, Secret } from "../../kit/values.js";

interface SignatureProps {
  readonly webhookId: string;
  readonly etag: string | undefined;
  readonly signature: { readonly enabled: boolean; readonly signingKeyId?: string | undefined };
  onChanged(): void;
}

/** Explains the signature of a webhook and its verification by a receiver, and replaces the secret. */
export function WebhookSignature({ etag, onChanged, signature, webhookId }: SignatureProps) {
  const t = useMessages("webhooks");
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const { signingKeyId } = signature;
  const key = useLoad(
    async () => (signingKeyId === undefined ? undefined : unwrap(await api.keys.retrieve({ keyId: signingKeyId })).key),
    [signingKeyId],
  );
  const isHmac = key.value === undefined || key.value.type === "HMAC";
  const rotate = async (auditReason: string | undefined): Promise<void> => {
    const made = await makeSecret(webhookId, auditReason);
    const signatureConfiguration = { enabled: true, signingKeyId: made.keyId };
    unwrap(
      await api.webhooks.patch({ webhookId, patch: { webhook: { signatureConfiguration } } }, { auditReason, ifMatch: etag }),
    );
    setSecret(made.secret);
    notify(t("rotated"));
    onChanged();
  };
  return (
    <Panel
      title={t("signature")}
      actions={
        <button type="button" class="button" onClick={() => setAsking(true)}>
          {t(signingKeyId === undefined ? "makeSecret" : "rotateSecret")}
        </button>
      }
    >
      <Facts rows={toRows(t, signature, key.value)} />
      {secret !== undefined && (
        <div class="banner warn" role="status">
          <p>{t("secretOnce")}</p>
          <Secret value={secret} />
        </div>
      )}
      <h3>{t("howToVerify")}</h3>
      <p>{t(isHmac ? "verifyBySecret" : "verifyByKeys")}</p>
      <pre class="code">{verification(isHmac)}</pre>
      {isAsking && (
        <DangerDialog
          title={t("rotateSecret")}
          confirmLabel={t("rotateSecret")}
          isDangerous={false}
          onConfirm={rotate}
          onClose={() => setAsking(false)}
        >
          <p>{t("rotateHint")}</p>
        </DangerDialog>
      )}
    </Panel>
  );
}

function toRows(
  t: ReturnType<typeof useMessages>,
  { enabled, signingKeyId }: SignatureProps["signature"],
  key: { readonly name: string; readonly algorithm: string } | undefined,
) {
  const state = <Badge kind={enabled ? "good" : "warn"}>{t(enabled ? "signed" : "unsigned")}</Badge>;
  const link = signingKeyId !== undefined && (
    <Link href={`/keys/${signingKeyId}`}>{key === undefined ? signingKeyId : `${key.name} (${key.algorithm})`}</Link>
  );
  return [
    [t("state"), state],
    [t("signingKey"), link || t("noKey")],
  ] as const;
}

/** Generates the secret in the page and imports it, because the service never shows a secret that it generated. */
async function makeSecret(
  webhookId: string,
  auditReason: string | undefined,
): Promise<{ readonly keyId: string; readonly secret: string }> {
  const bytes = crypto.getRandomValues(new Uint8Array(48));
  const secret = btoa(String.fromCharCode(...bytes));
  const name = `Webhook ${webhookId.slice(0, 8)} ${new Date().toISOString().slice(0, 19)}`;
  const { key } = unwrap(await api.keys.import({ key: { name, algorithm: "HS256", secret } }, { auditReason }));
  return { keyId: key.id, secret };
}

function verification(isHmac: boolean): string {
  const keys = "await (await fetch(`${identityUrl}/.well-known/jwks.json`)).json()";
  const trust = isHmac ? "{ secret: process.env.WEBHOOK_SECRET }" : `{ jwks: ${keys} }`;
  return `import { verifyWebhook } from "latchkey";\n\nconst event = await verifyWebhook({ headers: request.headers, body }, ${trust});`;
}

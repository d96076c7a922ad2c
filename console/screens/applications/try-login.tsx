import { useEffect, useState } from "preact/hooks";
import { config } from "../../app/config.js";
import { Checkbox, Field, Select, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { Picker } from "../../kit/picker.js";
import { Panel } from "../../kit/screen.js";
import { useUrlState } from "../../kit/url-state.js";
import { CopyButton, Facts } from "../../kit/values.js";
import type { Application } from "./application.js";
import { type AuthorizeRequest, makeSecret, toAuthorizeUrl, toChallenge, toTokenCall } from "./authorize-url.js";

/** Builds the URL to which an application redirects its users, and opens it as the application would. */
export function TryLogin({ application }: { readonly application: Application }) {
  const t = useMessages("applications");
  const { authorizedRedirectURLs: urls = [], clientId = application.id } = application.oauthConfiguration ?? {};
  const [provider, setProvider] = useUrlState("provider");
  const [chosen, setRedirect] = useState("");
  const redirectUri = urls.includes(chosen) ? chosen : (urls[0] ?? "");
  const [scope, setScope] = useState("openid email profile offline_access");
  const [isAnew, setAnew] = useState(true);
  const proof = useProof();
  const base = config.publicUrl ?? location.origin;
  const asked: AuthorizeRequest = { base, challenge: proof?.challenge, clientId, isAnew, provider, redirectUri, scope };
  const discovery = `${base}/.well-known/openid-configuration/${application.tenantId}`;
  return (
    <Panel title={t("tryLogin")}>
      <p class="hint">{t("tryLoginHint")}</p>
      <Facts rows={[[t("discovery"), <Copied key="discovery" text={discovery} />]]} />
      {urls.length === 0 ? (
        <p class="banner warn">{t("noRedirect")}</p>
      ) : (
        <>
          <Field label={t("redirectUri")}>
            <Select value={redirectUri} options={urls.map((url) => ({ value: url, label: url }))} onChange={setRedirect} />
          </Field>
          <Field label={t("scope")} hint={t("scopeHint")}>
            <TextInput value={scope} onChange={setScope} spellcheck={false} autocomplete="off" />
          </Field>
          <Field label={t("provider")} hint={t("providerHint")}>
            <Picker family="identityProvider" value={provider} onChange={setProvider} />
          </Field>
          <Checkbox checked={isAnew} label={t("logInAnew")} onChange={setAnew} />
          <Built asked={asked} verifier={proof?.verifier} />
        </>
      )}
      {config.publicUrl === undefined && <p class="banner warn">{t("noPublicUrl")}</p>}
    </Panel>
  );
}

interface Proof {
  readonly verifier: string;
  readonly challenge: string;
}

// Browsers compute digests only in secure contexts. Elsewhere the URL has no PKCE parameters.
function useProof(): Proof | undefined {
  const [proof, setProof] = useState<Proof>();
  useEffect(() => {
    const verifier = makeSecret();
    toChallenge(verifier).then(
      (challenge) => setProof({ verifier, challenge }),
      () => undefined,
    );
  }, []);
  return proof;
}

function Built({ asked, verifier }: { readonly asked: AuthorizeRequest; readonly verifier: string | undefined }) {
  const t = useMessages("applications");
  const url = toAuthorizeUrl(asked);
  const call = toTokenCall(asked, verifier);
  return (
    <>
      <Facts rows={[[t("authorizeUrl"), <Copied key="url" text={url} />]]} />
      <div class="actions">
        <a class="button primary" href={url} target="_blank" rel="noopener noreferrer">
          {t("openLogin")}
          <Icon name="external" />
        </a>
      </div>
      <p>{t("afterLogin")}</p>
      <div class="row">
        <pre class="code">{call}</pre>
        <CopyButton text={call} />
      </div>
    </>
  );
}

function Copied({ text }: { readonly text: string }) {
  return (
    <span class="id">
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  );
}

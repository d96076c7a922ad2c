import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, type Result, unwrap } from "../../app/api.js";
import { href } from "../../app/tenant.js";
import { useAction } from "../../kit/danger-dialog.js";
import { Field, TextArea, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { useLoad } from "../../kit/load.js";
import { Picker } from "../../kit/picker.js";
import { Failed, Panel } from "../../kit/screen.js";
import { Badge } from "../../kit/values.js";
import { LoginOutcome } from "./login-outcome.js";
import { applicationsOf, type ProviderRow } from "./provider.js";
import { providerTypes, type TestKind } from "./provider-types.js";

/** Tests a provider by a real login as a user of an application. */
export function LoginTest({ provider }: { readonly provider: ProviderRow }) {
  const t = useMessages("providers");
  const offered = applicationsOf(provider);
  const [applicationId, setApplication] = useState(offered[0] ?? "");
  const kind = providerTypes[provider.type]?.test ?? "page";
  const isReady = provider.enabled && offered.includes(applicationId);
  const Try = tries[kind];
  return (
    <Panel title={t("test")}>
      <p class="hint">{t("testHint")}</p>
      <Field label={t("application")} hint={t("testApplicationHint")}>
        <Picker family="application" value={applicationId} onChange={setApplication} />
      </Field>
      {!isReady && <p class="banner warn">{t(provider.enabled ? "notOffered" : "notEnabled")}</p>}
      {isReady && <Try key={applicationId} provider={provider} applicationId={applicationId} />}
      <LastEvents name={provider.name} />
    </Panel>
  );
}

interface TryProps {
  readonly provider: ProviderRow;
  readonly applicationId: string;
}

const tries: Readonly<Record<TestKind, (props: TryProps) => preact.JSX.Element>> = {
  redirect: InNewTab,
  token: WithToken,
  push: ByPush,
  page: ByPage,
};

function InNewTab({ applicationId, provider }: TryProps) {
  const t = useMessages("providers");
  return (
    <div class="actions">
      <a
        class="button primary"
        href={href(`/providers/${provider.id}/login?application=${applicationId}`)}
        target="_blank"
        rel="noopener"
      >
        {t("logInNewTab")}
        <Icon name="external" />
      </a>
    </div>
  );
}

function WithToken({ applicationId, provider }: TryProps) {
  const t = useMessages("providers");
  const [token, setToken] = useState("");
  const [result, setResult] = useState<Result<object>>();
  const { error, isBusy, run } = useAction(async () => {
    const login = { applicationId, encodedJWT: token.trim(), identityProviderId: provider.id, noJWT: true };
    setResult(await api.identityProviders.login(login));
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  return (
    <>
      <form class="stack" onSubmit={submit}>
        <Field label={t("token")} hint={t("tokenHint")}>
          <TextArea rows={4} class="input code" value={token} onChange={setToken} spellcheck={false} autocomplete="off" />
        </Field>
        <div class="actions">
          <button type="submit" class="button primary" disabled={isBusy || token.trim() === ""}>
            {t("logIn")}
          </button>
        </div>
      </form>
      {error !== undefined && <Failed error={error} />}
      {result !== undefined && <LoginOutcome result={result} identityProviderId={provider.id} />}
    </>
  );
}

// The person confirms on a phone, so each press of the button retries the login until there is a decision.
function ByPush({ applicationId, provider }: TryProps) {
  const t = useMessages("providers");
  const [loginId, setLoginId] = useState("");
  const [code, setCode] = useState<string>();
  const [result, setResult] = useState<Result<object>>();
  const { error, isBusy, run } = useAction(async () => {
    const identityProviderId = provider.id;
    const started = code ?? unwrap(await api.identityProviders.start({ applicationId, identityProviderId, loginId })).code;
    const answer = await api.identityProviders.login({ data: { code: started }, noJWT: true });
    setCode(answer.ok || answer.status !== 409 ? undefined : started);
    setResult(answer);
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  return (
    <>
      <form class="inline-form" onSubmit={submit}>
        <Field label={t("loginId")}>
          <TextInput value={loginId} onChange={setLoginId} required autocomplete="off" spellcheck={false} />
        </Field>
        <button type="submit" class="button primary" disabled={isBusy}>
          {t(code === undefined ? "logIn" : "askAgain")}
        </button>
      </form>
      {error !== undefined && <Failed error={error} />}
      {result !== undefined && <LoginOutcome result={result} identityProviderId={provider.id} />}
    </>
  );
}

function ByPage({ applicationId, provider }: TryProps) {
  const t = useMessages("providers");
  return (
    <p>
      {t(`byPage.${provider.type}`)}{" "}
      <Link href={`/applications/${applicationId}?tab=oauth&provider=${provider.id}`}>{t("openTry")}</Link>
    </p>
  );
}

// The failed logins that the service logs for providers with `debug`.
function LastEvents({ name }: { readonly name: string }) {
  const t = useMessages("providers");
  const { value = [] } = useLoad(
    async (signal) => {
      const search = { message: `*identity provider ${name}*`, numberOfResults: 5, orderBy: "insertInstant DESC" };
      return unwrap(await api.eventLogs.search({ search }, { signal })).eventLogs ?? [];
    },
    [name],
  );
  return (
    <>
      <h3>{t("lastEvents")}</h3>
      {value.length === 0 && <p class="hint">{t("noEvents")}</p>}
      <ul class="stack">
        {value.map(({ id, message, type }) => (
          <li key={id} class="row">
            <Badge kind={type === "Error" ? "bad" : "neutral"}>{type}</Badge>
            <Link href={`/logs/events/${id}`}>{message}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}

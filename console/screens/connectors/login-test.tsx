import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, type Result, sayFailure, unwrap } from "../../app/api.js";
import { tenantId as tenantOfPage } from "../../app/tenant.js";
import { Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { nameOfUser } from "../../kit/pickable.js";
import { Picker } from "../../kit/picker.js";
import { Panel } from "../../kit/screen.js";
import { Badge, Facts } from "../../kit/values.js";

interface LoginTestProps {
  readonly connectorId: string;
  readonly name: string;
}

/** Logs a user of a tenant in, as an application does, and shows the connector that decided. Does not store the password. */
export function LoginTest({ connectorId, name }: LoginTestProps) {
  const t = useMessages("connectors");
  const [tenantId, setTenant] = useState(tenantOfPage.value ?? "");
  const [loginId, setLoginId] = useState("");
  const [password, setPassword] = useState("");
  const [result, setResult] = useState<Result<object | undefined>>();
  const [isBusy, setBusy] = useState(false);
  const [runs, setRuns] = useState(0);
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setResult(await api.logins.login({ loginId, password, noJWT: true }, { tenantId: tenantId || undefined }));
    setPassword("");
    setRuns(runs + 1);
    setBusy(false);
  };
  return (
    <Panel title={t("test")}>
      <p class="hint">{t("testHint", { name })}</p>
      <form class="stack" onSubmit={run}>
        <Field label={t("tenant")} hint={t("tenantHint")}>
          <Picker family="tenant" value={tenantId} onChange={setTenant} />
        </Field>
        <Field label={t("loginId")}>
          <TextInput value={loginId} onChange={setLoginId} required autocomplete="off" spellcheck={false} />
        </Field>
        <Field label={t("password")}>
          <TextInput type="password" value={password} onChange={setPassword} required autocomplete="new-password" />
        </Field>
        <div class="actions">
          <button type="submit" class="button primary" disabled={isBusy}>
            {t("logIn")}
          </button>
        </div>
      </form>
      <div aria-live="polite">{result !== undefined && <Outcome result={result} connectorId={connectorId} />}</div>
      {runs > 0 && <EventLines key={runs} connectorId={connectorId} />}
    </Panel>
  );
}

interface LoggedIn {
  readonly id: string;
  readonly connectorId?: string | undefined;
  readonly email?: string | undefined;
  readonly username?: string | undefined;
}

function Outcome({ connectorId, result }: { readonly result: Result<object | undefined>; readonly connectorId: string }) {
  const t = useMessages("connectors");
  if (!result.ok)
    return (
      <p class="banner bad">
        <span>
          {result.status === 404 ? t("refused") : sayFailure(result)} {`(HTTP ${result.status})`}
        </span>
      </p>
    );
  const user = Reflect.get(result.value ?? {}, "user") as LoggedIn | undefined;
  if (user === undefined) return <p class="banner warn">{t("furtherStep", { status: result.status })}</p>;
  const isThis = user.connectorId === connectorId;
  return (
    <Facts
      rows={[
        [
          t("user"),
          <Link key="user" href={`/users/${user.id}`}>
            {nameOfUser(user)}
          </Link>,
        ],
        [
          t("checkedBy"),
          <Badge key="checked" kind={isThis ? "good" : "warn"}>
            {t(isThis ? "byThis" : "byOther")}
          </Badge>,
        ],
      ]}
    />
  );
}

// The event log messages of a connector contain its id, so the search matches on the id.
function EventLines({ connectorId }: { readonly connectorId: string }) {
  const t = useMessages("connectors");
  const { value = [] } = useLoad(
    async (signal) => {
      const search = { message: `*${connectorId}*`, numberOfResults: 5, orderBy: "insertInstant DESC" };
      return unwrap(await api.eventLogs.search({ search }, { signal })).eventLogs ?? [];
    },
    [connectorId],
  );
  if (value.length === 0) return <p class="hint">{t("noEvents")}</p>;
  return (
    <>
      <h3>{t("lastEvents")}</h3>
      <ul class="stack">
        {value.map(({ id, message, type }) => (
          <li key={id} class="row">
            <Badge kind={type === "Error" ? "bad" : "neutral"}>{type}</Badge>
            <Link href={`/logs/events/${id}`}>{message.replace(` (${connectorId})`, "")}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}

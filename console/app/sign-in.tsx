import { useState } from "preact/hooks";
import { Dialog } from "../kit/dialog.js";
import { Field, Select, TextInput } from "../kit/field.js";
import { useMessages } from "../kit/i18n.js";
import { config } from "./config.js";
import {
  callSession,
  endWaiting,
  readSession,
  type SecondFactor,
  type Session,
  type SessionAnswer,
  session,
  signOut,
} from "./session.js";

/** The sign-in screen, shown while signed out. */
export function SignInScreen() {
  const t = useMessages("console");
  return (
    <main class="gate">
      <div class="gate-card">
        {config.brand.logoUrl !== undefined && <img src={config.brand.logoUrl} alt="" />}
        <h1>{t("signInTo", { name: config.brand.name })}</h1>
        <SignIn onDone={(found) => (session.value = found)} />
      </div>
    </main>
  );
}

/** The sign-in dialog over a page with an expired session. It preserves the state of the page. */
export function SignInDialog() {
  const t = useMessages("console");
  const done = (found: Session): void => {
    const isOther = session.value != null && session.value.user.id !== found.user.id;
    session.value = found;
    endWaiting(!isOther);
  };
  return (
    <Dialog title={t("sessionEnded")} onClose={() => endWaiting(false)} size="small">
      <p>{t("sessionEndedText")}</p>
      <SignIn onDone={done} />
    </Dialog>
  );
}

function SignIn({ onDone }: { onDone(session: Session): void }) {
  const t = useMessages("console");
  const [loginId, setLoginId] = useState("");
  const [password, setPassword] = useState("");
  const [factor, setFactor] = useState<SecondFactor>();
  const { isBusy, problem, run } = useSessionCall(onDone, setFactor);
  if (factor !== undefined) return <SecondFactorForm factor={factor} onDone={onDone} onBack={() => setFactor(undefined)} />;
  const submit = (event: Event): void => {
    event.preventDefault();
    run("", { loginId, password });
  };
  return (
    <form onSubmit={submit} class="stack">
      <Field label={t("loginId")}>
        <TextInput
          value={loginId}
          onChange={setLoginId}
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
        />
      </Field>
      <Field label={t("password")}>
        <TextInput type="password" value={password} onChange={setPassword} autocomplete="current-password" required />
      </Field>
      <Problem text={problem} />
      <button type="submit" class="button primary wide" disabled={isBusy}>
        {t("signIn")}
      </button>
    </form>
  );
}

function SecondFactorForm({
  factor: { methods, twoFactorId },
  onBack,
  onDone,
}: {
  readonly factor: SecondFactor;
  onDone(session: Session): void;
  onBack(): void;
}) {
  const t = useMessages("console");
  const [code, setCode] = useState("");
  const [methodId, setMethodId] = useState(methods[0]?.id ?? "");
  const [isSent, setSent] = useState(false);
  const { isBusy, problem, run } = useSessionCall(onDone, () => undefined);
  const method = methods.find(({ id }) => id === methodId)?.method;
  const submit = (event: Event): void => {
    event.preventDefault();
    run("/two-factor", { twoFactorId, code: code.trim(), ...(methodId && { methodId }) });
  };
  const send = async (): Promise<void> => {
    await run("/two-factor", { twoFactorId, methodId });
    setSent(true);
  };
  return (
    <form onSubmit={submit} class="stack">
      {methods.length > 1 && (
        <Field label={t("method")}>
          <Select
            value={methodId}
            options={methods.map(({ id, method, name }) => ({ value: id, label: name ?? method }))}
            onChange={setMethodId}
          />
        </Field>
      )}
      {(method === "email" || method === "sms") && (
        <div class="row">
          <button type="button" class="button" disabled={isBusy} onClick={send}>
            {t("sendCode")}
          </button>
          <span role="status">{isSent && problem === undefined && t("codeSent")}</span>
        </div>
      )}
      <Field label={t("code")} hint={t("codeHint")}>
        <TextInput value={code} onChange={setCode} autocomplete="one-time-code" inputmode="numeric" required />
      </Field>
      <Problem text={problem} />
      <button type="submit" class="button primary wide" disabled={isBusy}>
        {t("signIn")}
      </button>
      <button type="button" class="button quiet" onClick={onBack}>
        {t("back")}
      </button>
    </form>
  );
}

/** The error message of a sign-in. */
export function Problem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="banner bad" role="alert">
      {text}
    </p>
  );
}

/** Calls a session endpoint that returns a session or requires a second factor. */
export function useSessionCall(
  onDone: (session: Session) => void,
  onFactor: (factor: SecondFactor) => void,
): { readonly isBusy: boolean; readonly problem: string | undefined; run(path: string, content: object): Promise<void> } {
  const t = useMessages("console");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (path: string, content: object): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const answer = await callSession("POST", path, content);
      if (answer.status === 200) onDone(answer.body as Session);
      else if (answer.status === 242) onFactor(answer.body as SecondFactor);
      else
        setProblem(
          sayAnswer(answer) ??
            t(`signIn.${answer.status}`).replace(/^signIn\.\d+$/, t("signIn.other", { status: String(answer.status) })),
        );
    } catch {
      setProblem(t("offline"));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, run };
}

interface ErrorBody {
  readonly generalErrors?: readonly { readonly message: string }[];
  readonly fieldErrors?: Readonly<Record<string, readonly { readonly message: string }[]>>;
}

function sayAnswer({ body, status }: SessionAnswer): string | undefined {
  if (status === 404 || typeof body !== "object" || body === null) return undefined;
  const { fieldErrors = {}, generalErrors = [] }: ErrorBody = body;
  const text = [...generalErrors, ...Object.values(fieldErrors).flat()].map(({ message }) => message).join(" ");
  return text === "" ? undefined : text;
}

/** Asks for the password or a code again, before secrets are shown or administrators are changed. */
export function ConfirmDialog() {
  const t = useMessages("console");
  const [password, setPassword] = useState("");
  const [factor, setFactor] = useState<SecondFactor>();
  const done = async (): Promise<void> => {
    await readSession();
    endWaiting(true);
  };
  const { isBusy, problem, run } = useSessionCall(done, setFactor);
  const submit = (event: Event): void => {
    event.preventDefault();
    run("/confirm", { password });
  };
  if (factor !== undefined)
    return (
      <Dialog title={t("confirmTitle")} onClose={() => endWaiting(false)} size="small">
        <SecondFactorForm factor={factor} onDone={done} onBack={() => setFactor(undefined)} />
      </Dialog>
    );
  return (
    <Dialog title={t("confirmTitle")} onClose={() => endWaiting(false)} size="small">
      <form onSubmit={submit} class="stack">
        <p>{t("confirmText")}</p>
        <Field label={t("password")}>
          <TextInput type="password" value={password} onChange={setPassword} autocomplete="current-password" />
        </Field>
        <Problem text={problem} />
        <div class="dialog-foot">
          <button type="button" class="button quiet" onClick={signOut}>
            {t("signOut")}
          </button>
          <button type="submit" class="button primary" disabled={isBusy}>
            {t("confirm")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

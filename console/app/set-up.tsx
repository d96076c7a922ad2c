import { useState } from "preact/hooks";
import { Field, TextInput } from "../kit/field.js";
import { useMessages } from "../kit/i18n.js";
import { config } from "./config.js";
import { needsSetUp, type Session, session } from "./session.js";
import { Problem, useSessionCall } from "./sign-in.js";
import { go } from "./tenant.js";

// The link carries its token in the fragment (`#`), so that no server and no log receives it.
const token = location.hash.slice(1);

/** Creates the first administrator, with the one-time link that the server printed. */
export function SetUpScreen() {
  const t = useMessages("console");
  const [fullName, setFullName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const done = (found: Session): void => {
    needsSetUp.value = false;
    session.value = found;
    go("/", { replace: true });
  };
  const { isBusy, problem, run } = useSessionCall(done, () => undefined);
  const submit = (event: Event): void => {
    event.preventDefault();
    run("/set-up", { token, email, password, ...(fullName !== "" && { fullName }) });
  };
  return (
    <main class="gate">
      <div class="gate-card">
        <h1>{t("setUpTitle", { name: config.brand.name })}</h1>
        <p>{t(token === "" ? "setUpNoLink" : "setUpText")}</p>
        {token !== "" && (
          <form onSubmit={submit} class="stack">
            <Field label={t("fullName")}>
              <TextInput value={fullName} onChange={setFullName} autocomplete="name" />
            </Field>
            <Field label={t("email")}>
              <TextInput type="email" value={email} onChange={setEmail} autocomplete="username" required />
            </Field>
            <Field label={t("password")} hint={t("passwordHint")}>
              <TextInput type="password" value={password} onChange={setPassword} autocomplete="new-password" required />
            </Field>
            <Problem text={problem} />
            <button type="submit" class="button primary wide" disabled={isBusy}>
              {t("setUp")}
            </button>
          </form>
        )}
      </div>
    </main>
  );
}

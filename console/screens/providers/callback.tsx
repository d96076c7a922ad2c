import { Link } from "wouter-preact";
import { api, type Result } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Screen } from "../../kit/screen.js";
import { LoginOutcome } from "./login-outcome.js";
import { takeTestLogin } from "./test-login.js";

type Finished =
  | { readonly kind: "stray" }
  | { readonly kind: "refused"; readonly error: string; readonly description: string; readonly identityProviderId: string }
  | { readonly kind: "answered"; readonly result: Result<object>; readonly identityProviderId: string };

/** The redirect target of a test login. Completes the login and shows its result. */
export default function TestLoginCallback() {
  const t = useMessages("providers");
  const { error, value } = useLoad(finish, []);
  const crumbs = [{ label: t("identityProviders.many"), href: "/providers" }];
  return (
    <Screen title={t("testLogin")} crumbs={crumbs}>
      {error !== undefined && <Failed error={error} />}
      {value === undefined && error === undefined && <Loading lines={2} />}
      {value?.kind === "stray" && <p class="banner warn">{t("stray")}</p>}
      {value?.kind === "refused" && <Refusal error={value.error} description={value.description} />}
      {value?.kind === "answered" && <LoginOutcome result={value.result} identityProviderId={value.identityProviderId} />}
      {value !== undefined && value.kind !== "stray" && (
        <p>
          <Link href={`/providers/${value.identityProviderId}?tab=test`}>{t("backToProvider")}</Link>
        </p>
      )}
    </Screen>
  );
}

async function finish(): Promise<Finished> {
  const data = Object.fromEntries(new URLSearchParams(location.search));
  // Removes the code from the address, so that it does not stay in the browser history.
  history.replaceState(null, "", location.pathname);
  const login = takeTestLogin();
  if (login === undefined || data["state"] !== login.code) return { kind: "stray" };
  const { identityProviderId } = login;
  const { error, error_description: description = "" } = data;
  if (error !== undefined) return { kind: "refused", error, description, identityProviderId };
  return { kind: "answered", result: await api.identityProviders.login({ data, noJWT: true }), identityProviderId };
}

/** Error codes with which providers redirect a user back without a login (RFC 6749, 4.1.2.1). */
const explained = [
  "access_denied",
  "invalid_request",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
];

function Refusal({ description, error }: { readonly error: string; readonly description: string }) {
  const t = useMessages("providers");
  return (
    <div class="banner bad" role="alert">
      <div>
        <p>
          {t("refusedBy")} <code>{error}</code> {description}
        </p>
        <p>{t(explained.includes(error) ? `refusal.${error}` : "refusal.other")}</p>
      </div>
    </div>
  );
}

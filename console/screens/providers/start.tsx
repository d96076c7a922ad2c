import { api, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Screen } from "../../kit/screen.js";
import { useUrlParams } from "../../kit/url-state.js";
import { keepTestLogin, testRedirectUri } from "./test-login.js";

/** Redirects this tab to a provider, which redirects it back to the console. */
export default function StartTestLogin({ params: { id = "" } }: ScreenParams) {
  const t = useMessages("providers");
  const applicationId = useUrlParams().get("application");
  const { error, reload, value } = useLoad(() => start(id, applicationId), [id, applicationId]);
  return (
    <Screen title={t("testLogin")} crumbs={[{ label: t("identityProviders.one"), href: `/providers/${id}?tab=test` }]}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {error === undefined && value !== "noAddress" && <Loading lines={2} />}
      {value === "noAddress" && <p class="banner warn">{t("noAddress")}</p>}
    </Screen>
  );
}

async function start(identityProviderId: string, applicationId: string): Promise<"left" | "noAddress"> {
  const begun = await api.identityProviders.start({ applicationId, identityProviderId, redirect_uri: testRedirectUri() });
  const { code, formFields, url } = unwrap(begun);
  // The content security policy of the console blocks form posts to other origins.
  if (url === undefined || formFields !== undefined || !/^https?:\/\//i.test(url)) return "noAddress";
  keepTestLogin({ applicationId, identityProviderId, code });
  location.assign(url);
  return "left";
}

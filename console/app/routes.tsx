import type { ComponentType } from "preact";
import { Route, Switch } from "wouter-preact";
import { loadMessages, useMessages } from "../kit/i18n.js";
import { useLoad } from "../kit/load.js";
import { Empty, Failed, Loading, Screen } from "../kit/screen.js";
import type { Area, ScreenParams, ScreenRoute } from "./area.js";
import { areas } from "./areas.js";

/** The screen of the current address. */
export function Routes() {
  return (
    <Switch>
      {areas.flatMap((area) =>
        area.routes.map((route) => (
          <Route key={route.path} path={route.path}>
            {(params: ScreenParams["params"]) => <LazyScreen key={route.path} area={area} route={route} params={params} />}
          </Route>
        )),
      )}
      <Route>
        <NoScreen />
      </Route>
    </Switch>
  );
}

const loaded = new Map<ScreenRoute, ComponentType<ScreenParams>>();

function LazyScreen({ area, params, route }: ScreenParams & { readonly area: Area; readonly route: ScreenRoute }) {
  const { error, reload } = useLoad(async () => {
    const [module] = await Promise.all([route.screen(), loadMessages(area.name, area.messages)]);
    loaded.set(route, module.default);
  }, [route]);
  const Found = loaded.get(route);
  if (error !== undefined && Found === undefined) return <Failed error={error} onRetry={reload} />;
  if (Found === undefined) return <Loading />;
  // A new key discards the state of the previous record's screen.
  return <Found key={JSON.stringify(params)} params={params} />;
}

function NoScreen() {
  const t = useMessages("console");
  return (
    <Screen title={t("noScreen")}>
      <Empty title={t("noScreenText")} />
    </Screen>
  );
}

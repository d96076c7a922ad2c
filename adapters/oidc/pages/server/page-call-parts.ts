import type { ApiRequest } from "latchkey/ports";
import type { PageTheme } from "latchkey/types";
import type { Interaction, InteractionHost } from "../../http/interactions.js";
import type { PageLanguage } from "../messages/locale.js";
import type { CookieJar } from "../request/cookies.js";
import type { FormToken } from "../request/form-token.js";
import type { FormFields } from "../request/read-form.js";
import type { FlowState } from "./flow-state.js";
import type { PageName } from "./paths.js";
import type { Place } from "./place.js";

/** The context of a request for a page. */
export interface PageCallParts {
  readonly request: ApiRequest;
  readonly host: InteractionHost;
  readonly page: PageName;
  /** The last segment of the path, such as the id in a mail. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
  readonly interaction: Interaction | undefined;
  readonly place: Place;
  readonly theme: PageTheme;
  readonly language: PageLanguage;
  readonly cookies: CookieJar;
  readonly formToken: FormToken;
  readonly flow: FlowState;
  /** The form of the browser; empty for a GET. */
  readonly form: FormFields;
}

import type { ComponentType } from "preact";
import type { MessageSource } from "../kit/i18n.js";

/** Props of a screen: the named parts of its path, such as `id` of `/users/:id`. */
export interface ScreenParams {
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** A screen of an area. Its module loads when its path opens. */
export interface ScreenRoute {
  /** Relative to the mount path and the tenant, such as `/users/:id`. The first match wins. */
  readonly path: string;
  screen(): Promise<{ readonly default: ComponentType<ScreenParams> }>;
}

/** Groups of the navigation, each with a heading. */
export type AreaGroup = "home" | "people" | "access" | "delivery" | "content" | "records" | "system";

/** An area of the console: its navigation entry, its messages and its screens. */
export interface Area {
  /** Identifies the area in the host's `hiddenAreas`, and its messages in `useMessages`. */
  readonly name: string;
  readonly group: AreaGroup;
  /** An icon of the kit (`kit/icons.tsx`). */
  readonly icon: string;
  /** The target of the navigation entry; undefined for an area without an entry. */
  readonly path?: string;
  /** The name of the entry by language. */
  readonly label: Readonly<Record<"en" | "de", string>>;
  /** The key that opens the area after `g`. */
  readonly key?: string;
  /** The endpoint that a person must have permission for to see the area, such as `POST /api/user/search`. */
  readonly requires?: { readonly method: string; readonly path: string };
  readonly messages: MessageSource;
  readonly routes: readonly ScreenRoute[];
}

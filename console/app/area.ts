import type { ComponentType } from "preact";
import type { MessageSource } from "../kit/i18n.js";

/** What a screen gets: the named parts of its path, such as `id` of `/users/:id`. */
export interface ScreenParams {
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** A screen of an area; loaded when its path is opened. */
export interface ScreenRoute {
  /** Below the place of the console and the tenant: `/users/:id`. The first that fits is taken. */
  readonly path: string;
  screen(): Promise<{ readonly default: ComponentType<ScreenParams> }>;
}

/** Headings of the navigation. */
export type AreaGroup = "home" | "people" | "access" | "delivery" | "content" | "records" | "system";

/** An area of the console: its entry in the navigation, its texts and its screens. */
export interface Area {
  /** Names the area for hosts that hide it, and its messages for `useMessages`. */
  readonly name: string;
  readonly group: AreaGroup;
  /** A sign of the kit (`kit/icons.tsx`). */
  readonly icon: string;
  /** Where its entry leads; undefined for no entry. */
  readonly path?: string;
  /** The name of its entry by language. */
  readonly label: Readonly<Record<"en" | "de", string>>;
  /** The key after `g` that leads to it. */
  readonly key?: string;
  /** The path of the API that a person must be able to read, such as `/api/user/search`, with the method. */
  readonly requires?: { readonly method: string; readonly path: string };
  readonly messages: MessageSource;
  readonly routes: readonly ScreenRoute[];
}

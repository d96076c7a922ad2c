import { useMemo } from "preact/hooks";
import { useSearch } from "wouter-preact";
import { navigate } from "wouter-preact/use-browser-location";

/** Query parameters that hold the state of a screen. */
export interface UrlState {
  get(name: string): string;
  /** Changes parameters; an empty text removes one. Adds a history entry unless `replace` is set. */
  set(changes: Readonly<Record<string, string | undefined>>, options?: ChangeOptions): void;
}

/** Options of a change of the address. */
export interface ChangeOptions {
  readonly replace?: boolean;
  /** The state of the new history entry. */
  readonly state?: unknown;
}

/** The state of a screen in its query parameters, so that Back works and links can be shared. */
export function useUrlParams(): UrlState {
  const search = useSearch();
  return useMemo(() => {
    const params = new URLSearchParams(search);
    return { get: (name) => params.get(name) ?? "", set: (changes, options) => change(changes, options) };
  }, [search]);
}

function change(changes: Readonly<Record<string, string | undefined>>, options: ChangeOptions | undefined): void {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  const target = location.pathname + (text === "" ? "" : `?${text}`);
  if (target !== location.pathname + location.search) navigate(target, options);
}

/** The value of one query parameter, and a function that changes it. */
export function useUrlState(name: string, initial = ""): readonly [string, (value: string) => void] {
  const state = useUrlParams();
  return [state.get(name) || initial, (value) => state.set({ [name]: value === initial ? undefined : value })];
}

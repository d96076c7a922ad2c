import { colorTokens, type PageColors, type PageTheme } from "latchkey/types";

/** The CSS rules that set the values of a theme. */
export function writeTokens({ colors, darkColors, fontFamily, radius }: PageTheme): string {
  const light = [...toColors(colors), ...toRule("radius", radius), ...toRule("font", fontFamily)];
  const dark = toColors(darkColors);
  const root = (rules: readonly string[]): string => (rules.length === 0 ? "" : `:root{${rules.join("")}}`);
  return root(light) + (dark.length === 0 ? "" : `@media(prefers-color-scheme:dark){${root(dark)}}`);
}

function toColors(colors: PageColors = {}): readonly string[] {
  return Object.entries(colorTokens).flatMap(([name, token]) => toRule(token, colors[name as keyof PageColors]));
}

function toRule(token: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`--${token}:${value};`];
}

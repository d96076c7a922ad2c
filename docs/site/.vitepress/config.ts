import { type DefaultTheme, defineConfig, type UserConfig } from "vitepress";
import manifest from "../../../package.json" with { type: "json" };
import { listModules } from "../api-pages.ts";
import { repository, resolveLinks, toAnchor } from "../links.ts";
import { rewritePath, sections, toAddress } from "../pages.ts";

const guides: DefaultTheme.SidebarItem[] = sections.map(({ text, collapsed, pages }) => ({
  text,
  ...(collapsed && { collapsed }),
  items: Object.entries(pages).map(([file, name]) => ({ text: name, link: toAddress(file) ?? "" })),
}));

const config: UserConfig<DefaultTheme.Config> = defineConfig({
  title: "Latchkey",
  description: manifest.description,
  lang: "en-US",
  srcDir: "../..",
  outDir: "../../dist-docs",
  cacheDir: "../../node_modules/.cache/vitepress",
  srcExclude: ["{src,adapters,test,scripts,dist,dist-docs,coverage}/**", "temp/*.md", "**/.*/**", "examples/*/**", "README.md"],
  rewrites: rewritePath,
  metaChunk: true,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/key.svg" }]],
  markdown: { anchor: { slugify: toAnchor }, config: resolveLinks },
  // The pages of the API reference have tables of types, which style.css sets.
  transformPageData: ({ relativePath }) =>
    relativePath.startsWith("api/") ? { frontmatter: { pageClass: "api", editLink: false } } : {},
  vite: {
    publicDir: "docs/site/public",
    build: { target: "es2022", chunkSizeWarningLimit: 3000 },
    optimizeDeps: { esbuildOptions: { target: "es2022" } },
  },
  themeConfig: {
    logo: "/key.svg",
    nav: [
      { text: "Guides", link: "/docs/", activeMatch: "^/docs/" },
      { text: "Examples", link: "/examples/" },
      { text: "API reference", link: "/api/", activeMatch: "^/api/" },
      { text: `v${manifest.version}`, link: "/changelog" },
      { text: "GitHub", link: repository },
    ],
    sidebar: { "/api/": [{ text: "API reference", items: listModules() }], "/": guides },
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        // The lists of names of whole modules would be found for every word.
        _render: (text, env, markdown) =>
          markdown.render(/^api\/.*index\.md$/.test(env.relativePath ?? "") ? (/^# .*/m.exec(text)?.[0] ?? "") : text, env),
        miniSearch: {
          // Guides before names of types.
          searchOptions: { boostDocument: (id: string) => (id.startsWith("/api/") ? 0.25 : 1) },
        },
      },
    },
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" },
    footer: { message: `Released under the ${manifest.license} license.` },
  },
});

export default config;

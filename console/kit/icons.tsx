const paths: Readonly<Record<string, string>> = {
  overview: "M4 13h6V4H4zM14 20h6V10h-6zM4 20h6v-3H4zM14 6h6V4h-6z",
  users: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M2 21a7 7 0 0 1 14 0M17 4a4 4 0 0 1 0 7M22 21a7 7 0 0 0-4-6.3",
  groups:
    "M12 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6M5 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6M19 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6M12 8v4M6 14l6-2 6 2",
  applications: "M4 4h16v6H4zM4 14h7v6H4zM15 14h5v6h-5z",
  tenants: "M4 21V6l8-3 8 3v15M2 21h20M9 9h2M13 9h2M9 13h2M13 13h2M10 21v-4h4v4",
  entities: "M12 2 3 7v10l9 5 9-5V7zM3 7l9 5 9-5M12 12v10",
  imports: "M12 3v12M7 10l5 5 5-5M4 21h16",
  keys: "M15 7a4 4 0 1 0-3.5 6L10 15H8v2H6v2H3v-3l6-6M15.5 7.5h.01",
  webhooks: "M12 7a3 3 0 1 0-2 5l-3 5M12 7l3.5 6M17 14a3 3 0 1 1-2 5.5H8M6 15a3 3 0 1 0 2 4.5",
  lambdas: "M5 20 12 8M8 4h2l7 16h2",
  templates: "M3 5h18v14H3zM3 6l9 7 9-7",
  forms: "M4 4h16v5H4zM4 13h16v3H4zM4 20h8",
  providers: "M10 14a4 4 0 0 1 0-5.7l3-3A4 4 0 0 1 18.7 11l-1.5 1.5M14 10a4 4 0 0 1 0 5.7l-3 3A4 4 0 0 1 5.3 13l1.5-1.5",
  logs: "M5 3h10l4 4v14H5zM8 12h8M8 16h8M8 8h4",
  settings: "M4 6h10M18 6h2M4 12h2M10 12h10M4 18h8M16 18h4M16 4v4M8 10v4M14 16v4",
  system: "M3 4h18v7H3zM3 13h18v7H3zM7 7.5h.01M7 16.5h.01",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4",
  close: "M5 5l14 14M19 5 5 19",
  chevron: "m6 9 6 6 6-6",
  menu: "M4 6h16M4 12h16M4 18h16",
  plus: "M12 5v14M5 12h14",
  check: "m5 12 5 5 9-10",
  copy: "M8 8h12v12H8zM4 16V4h12",
  columns: "M4 4h16v16H4zM10 4v16M15 4v16",
  warning: "M12 3 2 20h20zM12 10v4M12 17h.01",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M19 5l-1.5 1.5M6.5 17.5 5 19",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21a8 8 0 0 1 16 0",
  download: "M12 3v12M7 10l5 5 5-5M4 21h16",
  empty: "M3 12h5l2 3h4l2-3h5M3 12l4-7h10l4 7v7H3z",
};

/** A decorative icon beside a text. Screen readers skip it. */
export function Icon({ name, class: classes = "" }: { readonly name: string; readonly class?: string | undefined }) {
  return (
    <svg class={`icon ${classes}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name] ?? paths["logs"]} />
    </svg>
  );
}

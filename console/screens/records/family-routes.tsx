import type { ScreenParams, ScreenRoute } from "../../app/area.js";
import { loadMessages, type MessageSource } from "../../kit/i18n.js";
import type { AnyRecord, FamilyRow } from "./family-row.js";

/** The messages that the screens of all families share. */
export const recordMessages: MessageSource = { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") };

type LoadedScreen = Awaited<ReturnType<ScreenRoute["screen"]>>;

/** Loads a screen together with the shared messages of families. */
export async function withRecords(load: Promise<(params: ScreenParams) => preact.JSX.Element>): Promise<LoadedScreen> {
  const [screen] = await Promise.all([load, loadMessages("records", recordMessages)]);
  return { default: screen };
}

/** The routes for the list and the records of a family. Loads their components on demand, with the row. */
export function familyRoutes<Shown extends AnyRecord>(
  path: string,
  load: () => Promise<FamilyRow<Shown>>,
): readonly ScreenRoute[] {
  const list = async () => {
    const [row, { FamilyList }] = await Promise.all([load(), import("./family-list.js")]);
    return () => <FamilyList row={row} />;
  };
  const record = async () => {
    const [row, { FamilyRecord }] = await Promise.all([load(), import("./family-record.js")]);
    return ({ params }: ScreenParams) => <FamilyRecord row={row} id={params["id"] ?? ""} />;
  };
  return [
    { path, screen: () => withRecords(list()) },
    { path: `${path}/:id`, screen: () => withRecords(record()) },
  ];
}

import type { ScreenParams, ScreenRoute } from "../../app/area.js";
import { loadMessages, type MessageSource } from "../../kit/i18n.js";
import type { AnyRecord, FamilyRow } from "./family-row.js";

/** The texts of what every family's screens share. */
export const recordMessages: MessageSource = { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") };

type LoadedScreen = Awaited<ReturnType<ScreenRoute["screen"]>>;

/** A screen that uses what families share, with its texts. */
export async function withRecords(load: Promise<(params: ScreenParams) => preact.JSX.Element>): Promise<LoadedScreen> {
  const [screen] = await Promise.all([load, loadMessages("records", recordMessages)]);
  return { default: screen };
}

/** The list and the record of a family; what draws them is loaded with its row. */
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

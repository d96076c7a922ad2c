import type { Area, ScreenParams } from "../../app/area.js";
import { loadMessages, type MessageSource } from "../../kit/i18n.js";
import { logMessages } from "../logs/messages.js";
import { familyRoutes } from "../records/family-routes.js";

const messages: MessageSource = { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") };

/** The area for webhooks and their deliveries. */
export const webhooks: Area = {
  name: "webhooks",
  group: "delivery",
  icon: "webhooks",
  path: "/webhooks",
  label: { en: "Webhooks", de: "Webhooks" },
  key: "w",
  requires: { method: "GET", path: "/api/webhook" },
  messages,
  routes: familyRoutes("/webhooks", async () => (await import("./webhook-row.js")).webhookRow),
};

/** The area for deliveries of events. */
export const deliveries: Area = {
  name: "deliveries",
  group: "delivery",
  icon: "logs",
  path: "/deliveries",
  label: { en: "Deliveries", de: "Zustellungen" },
  key: "d",
  requires: { method: "GET", path: "/api/system/webhook-event-log/search" },
  messages,
  routes: [
    { path: "/deliveries", screen: showDeliveries },
    { path: "/deliveries/:id", screen: showDelivery },
  ],
};

// The chart of the list uses the messages of the logs.
async function showDeliveries() {
  const [{ DeliveryList }] = await Promise.all([import("./delivery-list.js"), loadMessages("logs", logMessages)]);
  return { default: DeliveryList };
}

async function showDelivery() {
  const { DeliveryScreen } = await import("./delivery-screen.js");
  return { default: ({ params }: ScreenParams) => <DeliveryScreen id={params["id"] ?? ""} /> };
}

/** A receiver of webhooks that believes nobody but the service. Run it: `WEBHOOK_SECRET=… PORT=9012 node examples/webhook-receiver.ts`. */
import { createServer } from "node:http";
import { type RecordedEvent, verifyWebhook, WebhookVerificationError } from "latchkey";

/** A server that hands on each event once, though it may come several times; `secret` is that of the HMAC key that signs. */
export function createReceiver(secret: string, receive: (event: RecordedEvent) => void): ReturnType<typeof createServer> {
  const seen = new Set<string>(); // a table, in an application
  return createServer(async (request, response) => {
    try {
      const body = Buffer.concat(await request.toArray());
      const event = await verifyWebhook({ headers: request.headers, body }, { secret });
      if (!seen.has(event.id)) receive(event);
      seen.add(event.id);
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
    }
  });
}

if (import.meta.main) {
  const receiver = createReceiver(process.env.WEBHOOK_SECRET ?? "", ({ type, linkedObjectId }) =>
    console.log(type, linkedObjectId),
  );
  receiver.listen(Number(process.env.PORT ?? 9012), "127.0.0.1");
}

import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Accepts connections on the loopback address for one test, without sending anything; returns host and port. */
export async function listen(onSocket: (socket: Socket) => void = () => undefined): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

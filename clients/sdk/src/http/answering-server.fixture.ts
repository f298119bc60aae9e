/** A server that answers as it is told, one answer for each request; what it was asked is kept. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Asked = { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: string };
export type Answer = (response: ServerResponse, asked: Asked) => void;

export type AnsweringServer = AsyncDisposable & { readonly url: string; readonly asked: readonly Asked[] };

/** The last answer also goes to all further requests. */
export async function answeringServer(...answers: readonly Answer[]): Promise<AnsweringServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one: Asked = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      const answer = answers[asked.length] ?? answers.at(-1);
      asked.push(one);
      answer?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, [Symbol.asyncDispose]: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

export function json(status: number, body: unknown, headers: { readonly [name: string]: string } = {}): Answer {
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** As the vector service refuses. */
export function refusal(status: number, error: string, headers: { readonly [name: string]: string } = {}): Answer {
  return json(status, { time: 0, status: { error } }, headers);
}

export const NEVER: Answer = () => {};
export const BREAK: Answer = (response) => void response.destroy();

/** A client that costs little: keep-alive sockets, requests encoded ahead, of each answer only its length is read. */
import { connect, type Socket } from 'node:net';
import type { Target } from './subject.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const OK = 'HTTP/1.1 200';

/** Sends `count` requests, each of `bodies` in turn, over `connections` sockets with one request in flight on each. */
export async function httpLoad(
  target: Target,
  bodies: readonly Buffer[],
  { count, connections }: { readonly count: number; readonly connections: number },
): Promise<void> {
  const requests = bodies.map((body) => encode(target, body));
  let next = 0;
  const take = () => (next < count ? requests[next++ % requests.length] : undefined);
  await Promise.all(Array.from({ length: Math.min(connections, count) }, () => ask(target.port, take)));
}

function encode({ method = 'POST', path, port, headers }: Target, body: Buffer): Buffer {
  const head = {
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body]);
}

function ask(port: number, take: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true });
    let received: Buffer = Buffer.alloc(0);
    const send = () => {
      const request = take();
      if (request === undefined) socket.end(resolve);
      else socket.write(request);
    };
    socket.once('connect', send);
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const bytes = answerBytes(received);
      if (bytes === undefined || received.length < bytes) return;
      if (received.toString('latin1', 0, OK.length) !== OK) {
        socket.destroy(new Error(`the server answered ${received.toString('utf8')}`));
        return;
      }
      received = Buffer.alloc(0);
      send();
    });
  });
}

/** The length of the answer with its head; undefined while the head is not whole. */
function answerBytes(received: Buffer): number | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const length = /content-length: *(\d+)/i.exec(received.toString('latin1', 0, headEnd))?.[1];
  if (length === undefined) throw new Error('the answer has no length');
  return headEnd + HEAD_END.length + Number(length);
}

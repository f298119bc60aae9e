// SPDX-License-Identifier: Apache-2.0
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutboundGuard, type OutboundOptions, OutboundRefusedError } from './outbound-guard.ts';
import { OutboundRequestError, receiveOutbound, sendOutbound } from './outbound-request.ts';

let server: Server;
let port: number;
let requests: string[] = [];

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    requests.push(incoming.url ?? '');
    if (incoming.url === '/redirect') outgoing.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    else if (incoming.url === '/large') outgoing.end('x'.repeat(5000));
    else if (incoming.url !== '/never') outgoing.end('reached');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an AddressInfo.
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function get(url: string, options: OutboundOptions = {}) {
  requests = [];
  const guard = createOutboundGuard(options);
  try {
    const reply = await sendOutbound(guard, { url, method: 'GET', timeoutMs: 30_000, replyBytesMax: 1000 });
    return { status: reply.status, body: reply.body.toString() };
  } finally {
    guard.close();
  }
}

describe('ways out that lead back in', () => {
  test.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://017700000001',
    'http://0.0.0.0',
    'http://0',
    'http://localhost',
    'http://[::1]',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[0:0:0:0:0:ffff:7f00:0001]',
    'http://[64:ff9b::7f00:1]',
    'http://[::127.0.0.1]',
    'http://[2002:7f00:1::]',
    'http://[fe80::1]',
    'http://[fc00::1]',
    'http://[fd00:ec2::254]',
    'http://169.254.169.254',
    'http://100.100.100.200',
    'http://10.0.0.1',
    'http://172.31.255.255',
    'http://192.168.0.1',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'https://127.0.0.1',
    'https://[::1]',
  ])('%s is refused before a connection is made', async (origin) => {
    await expect(get(`${origin}:${port}/`)).rejects.toThrow(OutboundRefusedError);
    expect(requests).toEqual([]);
  });

  test.each([
    { name: 'a private address', addresses: [{ address: '127.0.0.1', family: 4 }] },
    {
      name: 'a private address beside a public one',
      addresses: [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    },
    { name: 'a private address mapped into IPv6', addresses: [{ address: '::ffff:127.0.0.1', family: 6 }] },
    { name: 'no address', addresses: [] },
  ])('a name that points to $name is refused', async ({ addresses }) => {
    await expect(get(`http://data.example:${port}/`, { resolve: async () => addresses })).rejects.toThrow(OutboundRefusedError);
    expect(requests).toEqual([]);
  });

  test('spellings that the URL parser never sees are refused as well', async () => {
    const guard = createOutboundGuard();
    for (const host of ['2130706433', '127.1', '0x7f000001', '::1', '[::1]', 'fe80::1%eth0', 'LOCALHOST', 'localhost.']) {
      await expect(guard.resolve(host), host).rejects.toThrow();
    }
  });

  test('a name is resolved once for a connection, so a second answer cannot differ from the checked one', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }];
    };
    expect(await get(`http://data.example:${port}/`, { allowed: ['127.0.0.0/8'], resolve })).toEqual({ status: 200, body: 'reached' });
    expect(asked).toBe(1);
  });

  test('a redirect is an answer, not a way', async () => {
    const reply = await get(`http://127.0.0.1:${port}/redirect`, { allowed: ['127.0.0.1'] });
    expect(reply.status).toBe(302);
    expect(requests).toEqual(['/redirect']);
  });
});

describe('what the operator allows', () => {
  test.each([
    { allowed: ['127.0.0.1'], host: '127.0.0.1' },
    { allowed: ['127.0.0.0/8'], host: '[::ffff:127.0.0.1]' },
    { allowed: ['localhost'], host: 'localhost' },
    { allowed: ['*.internal'], host: 'data.internal' },
    { allowed: ['Data.Internal'], host: 'data.internal' },
  ])('$allowed lets $host through', async ({ allowed, host }) => {
    const reply = await get(`http://${host}:${port}/`, { allowed, resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    expect(reply.body).toBe('reached');
  });

  test('allowPrivateNetworks lets everything through', async () => {
    expect((await get(`http://127.0.0.1:${port}/`, { allowPrivateNetworks: true })).status).toBe(200);
  });

  test.each(['internal', 'evil-data.internal.example', 'xinternal'])('*.internal does not let %s through', async (host) => {
    const options = { allowed: ['*.internal'], resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
    await expect(get(`http://${host}:${port}/`, options)).rejects.toThrow(OutboundRefusedError);
  });

  test.each(['10.0.0.0/33', 'a b', '*', 'http://x'])('%s cannot be listed', (entry) => {
    expect(() => createOutboundGuard({ allowed: [entry] })).toThrow(RangeError);
  });

  test.each(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '8.8.8.8'])('public %s needs no permission', async (address) => {
    expect(await createOutboundGuard().resolve(address)).toMatchObject([{ address }]);
  });
});

describe('bounds of a request', () => {
  const allowed = ['127.0.0.1'];

  test('a server that never answers is left after the time', async () => {
    const guard = createOutboundGuard({ allowed });
    const request = sendOutbound(guard, { url: `http://127.0.0.1:${port}/never`, method: 'GET', timeoutMs: 100, replyBytesMax: 10 });
    await expect(request).rejects.toThrow('did not answer within 100 ms');
    guard.close();
  });

  test('a reply that is too large is not read to its end', async () => {
    await expect(get(`http://127.0.0.1:${port}/large`, { allowed })).rejects.toThrow('larger than 1000 bytes');
  });

  test.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'nonsense'])('%s is no address of HTTP', async (url) => {
    await expect(get(url)).rejects.toThrow(OutboundRequestError);
  });
});

describe('a download', () => {
  const download = async (path: string, options: OutboundOptions, idleMs = 30_000) => {
    const guard = createOutboundGuard(options);
    try {
      return await receiveOutbound(guard, { url: `http://127.0.0.1:${port}${path}`, idleMs }, async ({ status, body }) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of body) chunks.push(chunk);
        return { status, text: Buffer.concat(chunks).toString() };
      });
    } finally {
      guard.close();
    }
  };

  test('comes in pieces, however large it is', async () => {
    expect(await download('/large', { allowPrivateNetworks: true })).toEqual({ status: 200, text: 'x'.repeat(5000) });
  });

  test('does not lead back in, is not redirected, and does not wait for ever', async () => {
    await expect(download('/', {})).rejects.toThrow(OutboundRefusedError);
    expect(await download('/redirect', { allowPrivateNetworks: true })).toMatchObject({ status: 302 });
    await expect(download('/never', { allowPrivateNetworks: true }, 50)).rejects.toThrow('did not answer within 50 ms');
  });
});

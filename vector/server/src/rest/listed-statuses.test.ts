// SPDX-License-Identifier: Apache-2.0
/** Every operation is driven into the answers that its document lists for all that share its needs; the test server compares each answer with the document. */
import { builtCapabilities, type Endpoint } from '@sextant/contracts-vector';
import { endpoints, openApiDocument } from '@sextant/contracts-vector/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

const BODY_LIMIT_BYTES = 10_000;
const PASSWORD = 'Correct-Horse-42';
const rows = Object.entries<Endpoint>(endpoints);
const { paths } = openApiDocument({ version: '0.0.0', capabilities: new Set(builtCapabilities) });

/** The operations whose document lists the status. */
function listing(status: number): readonly (readonly [string, Endpoint])[] {
  return rows.filter(([, { path, method }]) => paths[path]?.[method.toLowerCase()]?.responses[status] !== undefined);
}

function pathOf({ path }: Endpoint): string {
  return path
    .replace('{id}', '1')
    .replace('{token_id}', '1')
    .replaceAll(/\{\w+\}/g, 'some');
}

let server: TestServer;
let headersOf: { readonly [permission in 'read' | 'write']: { readonly [name: string]: string } };

beforeAll(async () => {
  server = await testServer({ capabilities: builtCapabilities, bodyLimitBytes: BODY_LIMIT_BYTES });
  await server.call('POST', '/auth/admin', { password: PASSWORD });
  const { body } = await server.call('POST', '/auth/admin/login', { password: PASSWORD });
  const admin = { authorization: `Bearer ${(body as { token: string }).token}` };
  await server.call('PATCH', '/auth/enabled', { enabled: true }, admin);
  const tokenFor = async (permission: string) => {
    const { body: token } = await server.call('POST', '/auth/api_key', { name: permission, permission }, admin);
    return { authorization: `Bearer ${(token as { api_key: string }).api_key}` };
  };
  headersOf = { read: await tokenFor('read'), write: await tokenFor('write') };
});
afterAll(() => server[Symbol.asyncDispose]());

/** As the operation answers with these headers and an empty object for a body. */
async function statusOf(endpoint: Endpoint, headers: { readonly [name: string]: string } = {}, body: unknown = {}): Promise<number> {
  const sent = endpoint.method === 'GET' ? undefined : body;
  return (await server.call(endpoint.method, pathOf(endpoint), sent, headers)).status;
}

describe.each([
  ['loading', 412],
  ['closing', 503],
] as const)('while the service is %s', (state, status) => {
  test.each(listing(status))(`%s answers ${status}`, async (_, endpoint) => {
    server.setState(state);
    try {
      expect(await statusOf(endpoint)).toBe(status);
    } finally {
      server.setState('ready');
    }
  });
});

describe('while authentication is enforced', () => {
  const needy = listing(403).filter(([, { needs }]) => ['read', 'write', 'admin', 'tokens'].includes(needs));

  test.each(listing(401).filter(([id]) => id !== 'login'))('%s answers 401 without a credential', async (id, endpoint) => {
    // A password may be reset by the setup code in place of a credential; one that is not valid is refused all the same.
    const headers: { readonly [name: string]: string } = id === 'reset_password' ? { authorization: 'Bearer nothing' } : {};
    expect(await statusOf(endpoint, headers)).toBe(401);
  });

  test.each(needy)('%s answers 403 with a permission that does not suffice', async (_, endpoint) => {
    expect(await statusOf(endpoint, endpoint.needs === 'read' ? headersOf.write : headersOf.read)).toBe(403);
  });

  test.each(rows.filter(([, { needs }]) => needs === 'none'))('%s asks for no credential', async (_, endpoint) => {
    expect(await statusOf(endpoint, {}, { password: PASSWORD })).toBe(200);
  });
});

describe('a body that is larger than the limit', () => {
  const taking = listing(413).filter(
    ([, { upload, needs }]) => upload === undefined && (needs === 'write' || needs === 'read' || needs === 'none'),
  );

  test.each(taking)('is refused by %s with 413', async (_, endpoint) => {
    const headers = endpoint.needs === 'none' ? {} : headersOf[endpoint.needs === 'read' ? 'read' : 'write'];
    expect(await statusOf(endpoint, headers, ' '.repeat(BODY_LIMIT_BYTES + 1))).toBe(413);
  });
});

test.each(Object.keys(paths))('%s answers 405 to a method that it does not have, and says which it has', async (path) => {
  const { status, headers } = await server.call('QUERY', path.replaceAll(/\{\w+\}/g, '1'));
  expect(status).toBe(405);
  expect(headers.get('allow')).toMatch(/^[A-Z, ]+$/);
});

test.each(Object.entries(paths))('%s answers OPTIONS with its methods', async (path, operations) => {
  const { status, headers } = await server.call('OPTIONS', path.replaceAll(/\{\w+\}/g, '1'));
  const allowed = Object.keys(operations ?? {}).map((method) => method.toUpperCase());
  expect([status, headers.get('allow')]).toEqual([204, [...allowed, 'OPTIONS'].sort().join(', ')]);
});

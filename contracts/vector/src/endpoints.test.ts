// SPDX-License-Identifier: Apache-2.0
import { prepareSchema } from '@sextant/foundation-contract';
import { describe, expect, test } from 'vitest';
import { builtCapabilities, capabilities } from './capabilities.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { endpoints } from './endpoints.ts';
import { ServiceError } from './errors.ts';

const rows: readonly Endpoint[] = Object.values(endpoints);
const COLLECTION = '/collections/{collection_name}';

/** The endpoint tables of the specification, with the error codes that it lists. */
const specified: readonly [method: string, path: string, codes: readonly number[]][] = [
  ['GET', '/', []],
  ['GET', '/collections', [412, 500]],
  ['GET', COLLECTION, [404, 412, 500]],
  ['PUT', COLLECTION, [400, 409, 412, 500]],
  ['PATCH', COLLECTION, [404, 412, 500]],
  ['DELETE', COLLECTION, [412, 500]],
  ['GET', `${COLLECTION}/exists`, [412]],
  ...(
    [
      ['PUT', '/points'],
      ['POST', '/points'],
      ['POST', '/points/delete'],
      ['PUT', '/points/vectors'],
      ['POST', '/points/payload'],
      ['PUT', '/points/payload'],
      ['POST', '/points/payload/delete'],
      ['POST', '/points/payload/clear'],
      ['PUT', '/index'],
      ['POST', '/points/count'],
      ['POST', '/points/search'],
      ['POST', '/points/search/batch'],
      ['POST', '/points/query'],
      ['POST', '/points/query/batch'],
      ['POST', '/points/scroll'],
    ] as const
  ).map(([method, path]): [string, string, readonly number[]] => [method, COLLECTION + path, [400, 404, 412, 500]]),
  ['POST', '/auth/admin/login', []],
  ['POST', '/auth/admin', []],
  ['GET', '/auth/admin/exists', []],
  ['PATCH', '/auth/enabled', []],
  ['DELETE', '/auth/api_key/{token_id}', []],
];

describe('the endpoint table', () => {
  test.each(specified)('has %s %s with the errors of the specification', (method, path, codes) => {
    const row = rows.find((endpoint) => endpoint.method === method && endpoint.path === path);
    // 400 and 412 are possible everywhere, and every failure has a name of 500.
    const possible = [400, 412, 500, ...(row?.errors ?? []).map((code) => new ServiceError(code).restStatus)];
    expect(row).toBeDefined();
    expect(possible).toEqual(expect.arrayContaining([...codes]));
  });

  /** Who has no token may call these, or who is the admin. */
  const WITHOUT_PERMISSION = {
    none: ['root', 'healthz', 'livez', 'readyz', 'login', 'admin_exists', 'enforced'],
    create_admin: ['create_admin'],
    reset_password: ['reset_password'],
    admin_jwt: ['set_enforced'],
    tokens: ['create_token', 'rotate_token', 'list_tokens', 'delete_token'],
  };

  test('asks for the permission to write where something changes, and to read for the rest', () => {
    const named = Object.entries<Endpoint>(endpoints);
    for (const [needs, names] of Object.entries(WITHOUT_PERMISSION)) {
      expect(named.filter((row) => row[1].needs === needs).map(([name]) => name)).toEqual(expect.arrayContaining(names));
    }
    const others = named.filter(([name]) => !Object.values(WITHOUT_PERMISSION).flat().includes(name));
    // Reads run where they arrive, but for those that ask the writer about itself.
    const expected = ({ method, thread }: Endpoint) => (thread === 'writer' && method !== 'GET' ? 'write' : 'read');
    expect(others.map(([name, { needs }]) => [name, needs])).toEqual(others.map(([name, row]) => [name, expected(row)]));
  });

  test('has each method of each path once, together with the capabilities', () => {
    const always = rows.filter(({ capability }) => capability === undefined);
    const all = [...always, ...capabilities.flatMap((capability) => capability.endpoints)].map(({ method, path }) => `${method} ${path}`);
    expect(new Set(all).size).toBe(all.length);
  });

  test('has an endpoint of a capability only where the capability names it', () => {
    for (const { capability, method, path } of rows.filter((row) => row.capability !== undefined)) {
      expect(capabilities.find(({ name }) => name === capability)?.endpoints).toContainEqual({ method, path });
    }
  });

  test('has every endpoint of the capabilities that an operator can switch on, and of no other', () => {
    const built = capabilities.filter((capability) =>
      capability.endpoints.every(({ method, path }) => rows.some((row) => row.method === method && row.path === path)),
    );
    expect(builtCapabilities).toEqual(built.map(({ name }) => name));
  });

  test('calls what fails by a 500 text of the catalogue', () => {
    for (const { failure } of rows) expect(new ServiceError(failure).restStatus).toBe(500);
  });

  test('runs what changes state on the writer', () => {
    for (const { needs, thread } of rows) if (needs === 'write' || needs === 'tokens') expect(thread).toBe('writer');
  });
});

describe('the capabilities that are off', () => {
  const off = new Set(capabilities.flatMap((capability) => capability.endpoints).map(({ method, path }) => `${method} ${path}`));

  test.each([
    'GET /aliases',
    'POST /aliases',
    'GET /collections/{collection_name}/aliases',
    'POST /collections/{collection_name}/snapshots',
    'GET /collections/{collection_name}/snapshots',
    'DELETE /collections/{collection_name}/snapshots/{snapshot_name}',
    'PUT /collections/{collection_name}/snapshots/{snapshot_name}/recover',
    'POST /collections/{collection_name}/operations/flush',
    'POST /collections/{collection_name}/operations/optimize',
    'POST /collections/{collection_name}/operations/rebuild_index',
    'GET /collections/{collection_name}/status',
    'POST /collections/{collection_name}/points/search/groups',
    'POST /collections/{collection_name}/points/query/groups',
    'POST /collections/{collection_name}/points/recommend',
    'POST /collections/{collection_name}/points/recommend/batch',
    'POST /collections/{collection_name}/points/recommend/groups',
    'POST /collections/{collection_name}/points/discover',
    'POST /collections/{collection_name}/points/discover/batch',
  ])('have %s of the specification', (row) => {
    expect(off).toContain(row);
  });
});

test('every schema compiles, down to the parts that no value of a test gets to', () => {
  for (const { body, query, result } of rows) {
    for (const schema of [body, query, result]) if (schema !== undefined) expect(() => prepareSchema(schema)).not.toThrow();
  }
});

// SPDX-License-Identifier: Apache-2.0
/** The generated tables say what the contracts say. That they are up to date is for `npm run check`; here it is that the types mean the same. */
import { type ResultOf as ContractResult, type Endpoint, endpoints as observabilityEndpoints } from '@sextant/contracts-observability';
import type { ScoredPoint as ContractHit, ScrollResult as ContractScroll } from '@sextant/contracts-vector';
import { endpoints as vectorEndpoints } from '@sextant/contracts-vector/schemas';
import type { JsonValue as OurJsonValue } from '@sextant/foundation-std';
import { expect, expectTypeOf, test } from 'vitest';
import type { JsonValue } from '../json.ts';
import { ObservabilityClient } from '../observability/observability-client.ts';
import { observabilityOperations } from './observability-operations.generated.ts';
import type { ObservabilityOperations } from './observability-types.ts';
import { vectorOperations } from './vector-operations.generated.ts';
import type { ScoredPoint, ScrollResult } from './vector-types.ts';

test('every operation of the contracts is there, at its path', () => {
  const rows = (table: object) =>
    Object.entries<{ method: string; path: string }>(table as never).map(([id, { method, path }]) => [id, method, path]);
  expect(rows(vectorOperations)).toEqual(rows(vectorEndpoints));
  expect(rows(observabilityOperations)).toEqual(rows(observabilityEndpoints));
});

test('every operation of the observability service has a method, which sends the request that its contract has', async () => {
  let sent = '';
  const client = new ObservabilityClient({
    fetch: async (url, { body }) => {
      sent = `${new URL(url).search}${typeof body === 'string' ? body : ''}`;
      return Response.json({});
    },
  });
  // By name: the methods are made of the table.
  const methods = client as unknown as { readonly [name: string]: (request: object) => Promise<unknown> };
  for (const [id, { path, query, body, bodyKind }] of Object.entries<Endpoint>(observabilityEndpoints)) {
    const name = id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (bodyKind === 'stream') {
      expect(methods[name]).toBeUndefined();
      continue;
    }
    const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => [param, 'x']));
    await methods[name]?.({ ...params, member: 'given' });
    expect([id, sent.includes('given')]).toEqual([
      id,
      query !== undefined || body !== undefined || Object.keys(params).some((param) => param !== 'tenant'),
    ]);
  }
});

test('what may have happened is sent again only where that comes to the same', () => {
  const once = (table: object) =>
    Object.entries<{ isRepeatable: boolean }>(table as never).flatMap(([id, row]) => (row.isRepeatable ? [] : [id]));
  expect(once(vectorOperations)).toEqual([
    'create_collection',
    'create_snapshot',
    'create_full_snapshot',
    'recover_uploaded_snapshot',
    'create_admin',
    'login',
    'reset_password',
    'set_enforced',
    'create_token',
    'rotate_token',
    'delete_token',
  ]);
  expect(once(observabilityOperations)).toEqual(expect.arrayContaining(['create_asset', 'start_scan', 'get_token', 'create_upload']));
  expect(once(observabilityOperations)).not.toContain('alerts_by_filters');
});

test('what the contracts answer is what the client says', () => {
  expectTypeOf<JsonValue>().toEqualTypeOf<OurJsonValue>();
  expectTypeOf<ContractHit>().toExtend<ScoredPoint>();
  expectTypeOf<ContractScroll>().toExtend<ScrollResult>();
  expectTypeOf<ContractResult<'get_incident'>>().toExtend<ObservabilityOperations['get_incident']['result']>();
  expectTypeOf<ContractResult<'list_metrics'>>().toExtend<ObservabilityOperations['list_metrics']['result']>();
  expectTypeOf<ContractResult<'get_job'>>().toExtend<ObservabilityOperations['get_job']['result']>();
});

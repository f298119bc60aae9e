// SPDX-License-Identifier: Apache-2.0
import { prepareSchema } from '@sextant/foundation-contract';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from './endpoints/endpoint.ts';
import { errorsOf } from './endpoints/possible-errors.ts';
import { endpoints } from './endpoints.ts';
import { ApiError } from './errors.ts';
import { RESERVED_TENANT_IDS } from './reserved.ts';

const rows: readonly Endpoint[] = Object.values(endpoints);

/** Paths with whatever their parameters are called. */
const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
const pathsOf = ({ path, aliases }: Endpoint) => [path, ...aliases];
const find = (method: string, path: string) =>
  rows.find((row) => row.method === method && pathsOf(row).some((each) => shapeOf(each) === shapeOf(path)));

const KEYS = '/auth/{tenant}/apiKeys';
const TEMPLATES = '/{tenant}/configuration/integrations/tickets/template';
const SPARK = '/configuration/tenants/{tenant}/spark-job-config';
const SCORE = '/api/backend/{tenant}/configuration/assets/{asset_id}/dq_score';
const REPORTING = '/{tenant_id}/configuration/dq_reporting';
const INCIDENTS = '/api/backend/{tenant}/incidents';

/** The endpoints of the specification with every address placeholder as the bare origin, and the error codes that it lists. */
const specified: readonly [method: string, path: string, codes: readonly number[]][] = [
  ['GET', KEYS, [401, 403, 404]],
  ['POST', KEYS, [401, 403, 404]],
  ['GET', `${KEYS}/{keyId}`, [401, 403, 404]],
  ['DELETE', `${KEYS}/{keyId}`, [401, 403, 404]],
  ['GET', INCIDENTS, []],
  ['GET', `${INCIDENTS}/{incidentId}`, []],
  ['GET', `${INCIDENTS}/distribution`, []],
  ['GET', `${INCIDENTS}/summary`, []],
  ['POST', '/api/backend/{tenant}/configuration/alerts/by_filters', []],
  ['POST', '/api/backend/{tenant}/configuration/sources/{source_id}/alerts', []],
  ['POST', '/api/backend/{tenant}/configuration/sources/{source_id}alerts', []],
  ['POST', TEMPLATES, []],
  ['PUT', `${TEMPLATES}/{template_id}`, []],
  ['GET', `${TEMPLATES}/{template_id}`, []],
  ['GET', TEMPLATES, []],
  ['GET', SPARK, [401, 403, 404]],
  ['PUT', SPARK, [400, 401, 403, 404]],
  ['DELETE', SPARK, [401, 403, 404]],
  ['GET', SCORE, []],
  ['PUT', SCORE, []],
  ['DELETE', SCORE, []],
  ['PUT', REPORTING, []],
  ['GET', REPORTING, []],
  ['DELETE', REPORTING, []],
];

describe('the endpoint table', () => {
  test('lets nobody who may only read change anything', () => {
    const open = Object.entries<Endpoint>(endpoints).filter(([, { method, needs }]) => {
      const isForReaders = needs.scope === 'public' || needs.scope === 'self' || ('role' in needs && needs.role === 'viewer');
      return method !== 'GET' && isForReaders;
    });
    // Tokens and one's own password; the others answer questions that are too long for an address.
    expect(open.map(([operation]) => operation)).toEqual([
      'get_token',
      'revoke_token',
      'change_password',
      'alerts_by_filters',
      'job_alerts',
    ]);
  });

  test('lets admins alone manage people and keys, and the operator of the platform tenants', () => {
    const needed = (prefix: string) => rows.filter(({ path }) => path.startsWith(prefix)).map(({ needs }) => needs);
    expect(needed('/platform/').every(({ scope }) => scope === 'platform')).toBe(true);
    const people = needed('/auth/{tenant}/').filter(({ scope }) => scope !== 'self');
    expect(people.length).toBeGreaterThan(0);
    for (const each of people) expect(each).toEqual({ scope: 'tenant', role: 'admin' });
  });

  test.each(specified)('has %s %s with the errors of the specification', (method, path, codes) => {
    const row = find(method, path);
    const possible = row === undefined ? [] : errorsOf(row).map((code) => new ApiError(code).status);
    expect(row).toBeDefined();
    expect(possible).toEqual(expect.arrayContaining([...codes]));
  });

  /** The same with each placeholder as its documented base. */
  test.each([
    ['POST', '/api/auth/auth/token'],
    ['GET', `/api/auth${KEYS}`],
    ['PUT', '/api/auth/auth/{tenant}/user/{user_email}'],
    ['PUT', '/api/auth/auth/{tenant}/users/{user_email}/assign'],
    ['DELETE', '/api/auth/auth/{tenant}/user/{user_email}/password'],
    ['GET', `/api/backend${TEMPLATES}`],
    ['PUT', `/api/backend${SPARK}`],
    ['PUT', `/api/backend${REPORTING}`],
    ['POST', '/api/backend/{tenant}/configuration/assets/{asset_id}/monitors'],
    ['POST', '/api/data/{tenant}/assets/{asset_id}/batch_data'],
    ['POST', '/{tenant}/assets/{asset_id}/batch_data'],
    ['POST', '/api/data/{tenant}/sources/{source}/batch_data'],
    ['GET', '/api/search/{tenant}/metrics'],
    ['GET', '/api/backend/{tenant}/sources/{source}/jobs'],
    ['GET', '/api/backend/{tenant}/errors'],
  ])('answers %s %s', (method, path) => {
    expect(find(method, path)).toBeDefined();
  });

  test('has each method of each path once', () => {
    const all = rows.flatMap((row) => pathsOf(row).map((path) => `${row.method} ${shapeOf(path)}`));
    expect(new Set(all).size).toBe(all.length);
  });

  test('has the same parameters in all paths of an endpoint', () => {
    const namesOf = (path: string) => new Set(path.match(/\{\w+\}/g));
    for (const row of rows) for (const alias of row.aliases) expect(namesOf(alias)).toEqual(namesOf(row.path));
  });

  test('reserves every fixed word that stands where a tenant could', () => {
    const words = rows.flatMap(pathsOf).flatMap((path) => /^\/([a-z]+)(?:\/|$)/.exec(path)?.[1] ?? []);
    expect(new Set(RESERVED_TENANT_IDS)).toEqual(new Set(words));
  });

  test('asks for a role wherever a tenant is in the path, and names the parameter that leads to the project', () => {
    for (const { path, needs } of rows) {
      const isOfTenant = path.includes('{tenant}');
      expect(['tenant', 'project', 'projects', 'self'].includes(needs.scope)).toBe(isOfTenant);
      if (needs.scope === 'project') expect(path).toContain(`{${needs.of}}`);
      if (needs.scope === 'self') expect(path).toContain('{user_email}');
    }
  });

  test('lets viewers read and nothing else', () => {
    const isViewer = ({ needs }: Endpoint) => needs.scope === 'tenant' && needs.role === 'viewer';
    const written = rows.filter((row) => isViewer(row) && row.method !== 'GET').map(({ path }) => path);
    // Reads that use POST.
    expect(written).toEqual([
      '/api/backend/{tenant}/configuration/alerts/by_filters',
      '/api/backend/{tenant}/configuration/sources/{asset_id}/alerts',
    ]);
  });

  test.each(
    rows.filter(({ tag }) => ['Spark job configuration', 'DQ reporting', 'API keys', 'Background errors', 'Audit trail'].includes(tag)),
  )('keeps $method $path for admins', ({ needs }) => {
    expect(needs).toEqual({ scope: 'tenant', role: 'admin' });
  });
});

test('every schema compiles, down to the parts that no value of a test gets to', () => {
  for (const { body, query, result } of rows) {
    for (const schema of [body, query, result]) if (schema !== undefined) expect(() => prepareSchema(schema)).not.toThrow();
  }
});

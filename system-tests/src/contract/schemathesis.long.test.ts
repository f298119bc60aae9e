// SPDX-License-Identifier: Apache-2.0
/** Requests that Schemathesis makes of the OpenAPI documents: both services answer each as their document says. */
import { join } from 'node:path';
import { type ChildServer, chooseSeed, temporaryDirectory } from '@sextant/foundation-testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { logIn } from '../observability/observability-api.ts';
import { ADMIN, startObservabilityServer } from '../observability/observability-server.ts';
import { missingPrograms, pythonEnvironment, runProgram } from '../toolchain.ts';
import { startVectorServer } from '../vector-server.ts';

const FOLDER = join(import.meta.dirname, 'schemathesis');
const EXAMPLES = 30;
/** Of one service; what is found in this time is found again from the same seed. */
const SECONDS = 600;

const missing = missingPrograms('python3');
if (missing !== undefined) console.warn(`Schemathesis is skipped: ${missing}`);

describe.skipIf(missing !== undefined)('every answer is as the document says', () => {
  let programs: string;
  beforeAll(async () => {
    programs = await pythonEnvironment('schemathesis', join(FOLDER, 'requirements.txt'));
  });

  /** Throws with what was found. */
  async function check({ address }: ChildServer, config: string, headers: { readonly [name: string]: string } = {}): Promise<string> {
    const examples = ['--max-examples', String(EXAMPLES), '--max-time', String(SECONDS), '--seed', String(chooseSeed())];
    const sent = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const args = ['--config-file', config, 'run', `${address}/openapi.json`]
      .concat(examples, ['--continue-on-failure', '--suppress-health-check', 'all', '--warnings', 'off'])
      .concat(sent);
    return runProgram(join(programs, 'schemathesis'), args, { directory: FOLDER, environment: { NO_COLOR: '1' } });
  }

  test.each([
    ['every group of endpoints', 'all'],
    ['those of the specification alone', ''],
  ])('the vector service with %s', async (_, capabilities) => {
    await using directory = await temporaryDirectory();
    await using server = await startVectorServer({ directory: directory.path, environment: { SERVICE_CAPABILITIES: capabilities } });
    await seed(server);
    expect(await check(server, 'vector.toml')).toMatch(/No issues found/);
  });

  test('the observability service', async () => {
    await using directory = await temporaryDirectory();
    await using server = await startObservabilityServer({ directory: directory.path });
    const { authorization = '' } = await logIn(server.client, ADMIN);
    // The check of ignored credentials takes away the header in the spelling of the document alone.
    expect(await check(server, 'observability.toml', { Authorization: authorization })).toMatch(/No issues found/);
  });
});

/** A collection with points, a field index and a named vector, so that requests reach more than a 404. */
async function seed({ client }: ChildServer): Promise<void> {
  const points = [
    { id: 1, vector: [1, 0, 0, 0], payload: { city: 'Rome', n: 1 } },
    { id: 2, vector: [0, 1, 0, 0], payload: { city: 'Oslo', n: 2 } },
    { id: '4a2c1f7e-0000-4000-8000-000000000001', vector: [0, 0, 1, 0], payload: { city: ['Oslo', 'Bergen'], n: 3 } },
  ];
  const requests = [
    ['/collections/seeded', { vectors: { size: 4, distance: 'Cosine' } }],
    ['/collections/seeded/points', { points }],
    ['/collections/seeded/index', { field_name: 'city', field_schema: 'keyword' }],
    ['/collections/seeded/index', { field_name: 'n', field_schema: 'integer' }],
  ] as const;
  for (const [path, body] of requests) {
    const { status } = await client.request('PUT', path, body);
    expect(status).toBe(200);
  }
}

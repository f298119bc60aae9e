// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { argumentsByService, environmentOfBoth, services } from './services.ts';

describe('flags of npm start reach the service that knows them', () => {
  test.each([
    [[], [[], []]],
    [['--SERVICE_REST_PORT=7000'], [['--SERVICE_REST_PORT=7000'], []]],
    [
      ['--observability-port', '7001', '--service-threads', '1'],
      [
        ['--service-threads', '1'],
        ['--observability-port', '7001'],
      ],
    ],
    [['--help'], [['--help'], ['--help']]],
    [
      ['--unknown', 'x'],
      [
        ['--unknown', 'x'],
        ['--unknown', 'x'],
      ],
    ],
  ])('%j', (argv, expected) => {
    expect(argumentsByService(argv, services)).toEqual(expected);
  });
});

describe('each service knows where the other is', () => {
  test.each([
    ['usual ports', {}, [], { SERVICE_OBSERVABILITY_URL: 'http://{host}:6580', OBSERVABILITY_VECTOR_URL: 'http://{host}:6573' }],
    [
      'ports from flags and the environment',
      { OBSERVABILITY_PORT: '7001' },
      ['--service-rest-port', '7000'],
      { SERVICE_OBSERVABILITY_URL: 'http://{host}:7001', OBSERVABILITY_VECTOR_URL: 'http://{host}:7000' },
    ],
    [
      'an address that is given',
      { OBSERVABILITY_PORT: '7001', SERVICE_OBSERVABILITY_URL: 'https://watch.example' },
      [],
      { SERVICE_OBSERVABILITY_URL: 'https://watch.example', OBSERVABILITY_VECTOR_URL: 'http://{host}:6573' },
    ],
    ['a free port', {}, ['--observability-port=0'], { OBSERVABILITY_VECTOR_URL: 'http://{host}:6573' }],
    ['a wrong setting', {}, ['--observability-port=high'], {}],
  ])('%s', async (_name, given, argv, added) => {
    expect(await environmentOfBoth(given, argumentsByService(argv, services))).toEqual({ ...given, ...added });
  });

  test('ports and addresses from configuration files', async () => {
    await using directory = await temporaryDirectory();
    const given = {
      SERVICE_CONFIG_FILE: join(directory.path, 'vector.yaml'),
      OBSERVABILITY_CONFIG_FILE: join(directory.path, 'observability.yaml'),
    };
    await writeFile(given.SERVICE_CONFIG_FILE, 'SERVICE_REST_PORT: 7000\nSERVICE_OBSERVABILITY_URL: https://watch.example\n');
    await writeFile(given.OBSERVABILITY_CONFIG_FILE, 'OBSERVABILITY_PORT: 7001\n');
    expect(await environmentOfBoth(given, [])).toEqual({ ...given, OBSERVABILITY_VECTOR_URL: 'http://{host}:7000' });
  });
});

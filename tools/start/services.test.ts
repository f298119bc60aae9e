import { describe, expect, test } from 'vitest';
import { argumentsByService, services } from './services.ts';

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

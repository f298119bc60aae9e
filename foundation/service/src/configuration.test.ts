// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { readConfiguration, settingRows } from './configuration.ts';
import { choice, integer, text, toggle } from './setting.ts';

const table = {
  host: text({ name: 'SERVICE_HOST', meaning: 'Address', fallback: '127.0.0.1' }),
  port: integer({ name: 'SERVICE_PORT', meaning: 'Port', fallback: 80, min: 0, max: 65535 }),
  open: toggle({ name: 'SERVICE_OPEN', meaning: 'Open', fallback: false }),
  level: choice({ name: 'SERVICE_LEVEL', meaning: 'Level', fallback: 'low', words: ['low', 'high'] }),
  secret: text({ name: 'SERVICE_SECRET', meaning: 'Secret', fallback: undefined, secret: true }),
  pin: integer({ name: 'SERVICE_PIN', meaning: 'Pin', fallback: 0, min: 0, max: 9, secret: true }),
  threads: integer({ name: 'SERVICE_THREADS', meaning: 'Threads', fallback: 2, fallbackText: 'cores', min: 1, max: 8 }),
};
const defaults = { host: '127.0.0.1', port: 80, open: false, level: 'low', secret: undefined, pin: 0, threads: 2 };

const read = (env: Record<string, string>, argv: readonly string[] = []) => readConfiguration(table, env, argv);

describe('values', () => {
  test.each([
    ['nothing', {}, [], {}],
    [
      'the environment',
      { SERVICE_PORT: '7000', SERVICE_OPEN: 'TRUE', SERVICE_LEVEL: 'high' },
      [],
      { port: 7000, open: true, level: 'high' },
    ],
    ['an empty variable counts as not set', { SERVICE_PORT: '', SERVICE_SECRET: '' }, [], {}],
    ['a flag with =', {}, ['--SERVICE_PORT=7000'], { port: 7000 }],
    ['a flag and its value', {}, ['--service-port', '7000'], { port: 7000 }],
    ['a lower-case flag with =', {}, ['--service-port=7000'], { port: 7000 }],
    ['a flag wins over the environment', { SERVICE_PORT: '1' }, ['--service-port=2'], { port: 2 }],
    ['a toggle alone', {}, ['--service-open', '--service-port=2'], { open: true, port: 2 }],
    ['a toggle with a value', { SERVICE_OPEN: '1' }, ['--service-open', 'false'], { open: false }],
    ['a value with = in it', {}, ['--service-secret=a=b'], { secret: 'a=b' }],
    ['other variables', { PATH: '/bin', SERVICE_OTHER: 'x' }, [], {}],
  ])('%s', (_name, env, argv, expected) => {
    expect(read(env, argv)).toMatchObject({ kind: 'ready', configuration: { ...defaults, ...expected } });
  });
});

describe('refusals', () => {
  test.each([
    ['7x', 'SERVICE_PORT is "7x"; expected an integer from 0 to 65535'],
    ['1e3', 'SERVICE_PORT is "1e3"; expected an integer from 0 to 65535'],
    ['-1', 'SERVICE_PORT is "-1"; expected an integer from 0 to 65535'],
    [' 80', 'SERVICE_PORT is " 80"; expected an integer from 0 to 65535'],
    ['65536', 'SERVICE_PORT is "65536"; expected an integer from 0 to 65535'],
    ['99999999999999999999', 'SERVICE_PORT is "99999999999999999999"; expected an integer from 0 to 65535'],
  ])('a port of %j', (value, problem) => {
    expect(read({ SERVICE_PORT: value })).toEqual({ kind: 'refused', problems: [problem] });
  });

  test.each([
    ['an unknown flag', ['--prot=7000'], 'unknown flag --prot; expected one of SERVICE_HOST, SERVICE_PORT'],
    ['a flag without its value', ['--service-port'], '--SERVICE_PORT needs a value; expected an integer from 0 to 65535'],
    [
      'a flag before the next flag',
      ['--service-port', '--service-open'],
      '--SERVICE_PORT needs a value; expected an integer from 0 to 65535',
    ],
    ['a flag with an empty value', ['--service-host='], '--SERVICE_HOST needs a value; expected some text'],
    ['a flag twice', ['--service-port=1', '--SERVICE_PORT=2'], '--SERVICE_PORT is given more than once'],
    ['a stray argument', ['7000'], 'an argument is not a flag'],
    ['a single dash', ['-p'], 'an argument is not a flag'],
  ])('%s', (_name, argv, problem) => {
    expect(read({}, argv)).toMatchObject({ kind: 'refused', problems: [expect.stringContaining(problem)] });
  });

  test('all problems come at once', () => {
    const outcome = read({ SERVICE_PORT: 'x', SERVICE_LEVEL: 'middle', SERVICE_HOST: '  ' }, ['--nope']);
    expect(outcome).toMatchObject({ kind: 'refused', problems: { length: 4 } });
  });

  test('the value of a secret is never repeated, nor what follows a mistyped flag', () => {
    const outcome = read({ SERVICE_PIN: 'hunter2' }, ['--service-secert=hunter2', 'hunter2']);
    expect(outcome.kind).toBe('refused');
    expect(JSON.stringify(outcome)).not.toContain('hunter2');
  });
});

test('every value says where it comes from', () => {
  const outcome = read({ SERVICE_PORT: '1', SERVICE_HOST: 'a', SERVICE_LEVEL: '' }, ['--service-port=2']);
  expect(outcome).toMatchObject({
    origins: { host: { kind: 'environment' }, port: { kind: 'flag' }, level: { kind: 'default' }, secret: { kind: 'default' } },
  });
});

test('--help names every setting with its default', () => {
  const outcome = read({ SERVICE_PORT: 'wrong' }, ['--help']);
  const help = outcome.kind === 'help' ? outcome.text : '';
  for (const { name, fallback } of settingRows(table)) expect(help).toMatch(new RegExp(`${name} .*default ${fallback}`));
  expect(help).toContain('default cores');
  expect(help).toContain('default not set');
});

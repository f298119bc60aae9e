// SPDX-License-Identifier: Apache-2.0
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manualClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { type Configuration, readConfiguration } from '../configuration.ts';
import { configurationFile, hosts, integer, text } from '../setting.ts';
import { openConfigurationFile } from './configuration-file.ts';
import { configurationReload } from './reload.ts';

const table = {
  file: configurationFile('SERVICE_CONFIG_FILE'),
  port: integer({ name: 'SERVICE_REST_PORT', meaning: 'Port', fallback: 80, min: 0, max: 65535 }),
  names: hosts({ name: 'SERVICE_ALLOWED_HOSTS', meaning: 'Names', reloadable: true }),
  secret: text({ name: 'SERVICE_JWT_SECRET', meaning: 'Secret', fallback: undefined, secret: true }),
};

/** A file that is written and then looked at, as the loop of a service does. */
async function watched(directory: string, first: string, env: Record<string, string> = {}) {
  const path = join(directory, 'sextant.yaml');
  const environment = { SERVICE_CONFIG_FILE: path, ...env };
  const read = async () => readConfiguration(table, environment, [], await openConfigurationFile(table, environment, []));
  await writeFile(path, first);
  const outcome = await read();
  if (outcome.kind !== 'ready') throw new Error('the first file is right');
  const applied: Configuration<typeof table>[] = [];
  const logged: [level: string, details: object, message: string][] = [];
  const note = (level: string) => (details: object, message: string) => void logged.push([level, details, message]);
  const loop = configurationReload({
    table,
    path,
    configuration: outcome.configuration,
    read,
    apply: (configuration) => void applied.push(configuration),
    clock: manualClock(),
    log: { info: note('info'), warn: note('warn'), error: note('error') },
  });
  await loop.turn();
  const change = async (yaml: string) => {
    logged.length = 0;
    await writeFile(path, yaml);
    await loop.turn();
    return logged;
  };
  return { path, loop, applied, logged, change };
}

test('takes over what may change, and says of the rest that it waits for a restart', async () => {
  await using directory = await temporaryDirectory();
  const { applied, logged, change } = await watched(directory.path, 'SERVICE_ALLOWED_HOSTS: a\nSERVICE_REST_PORT: 1\n');
  expect([applied, logged]).toEqual([[], []]);
  expect(await change('SERVICE_ALLOWED_HOSTS: [a, bc]\nSERVICE_REST_PORT: 12\nSERVICE_JWT_SECRET: hunter2\n')).toEqual([
    ['info', { setting: 'SERVICE_ALLOWED_HOSTS', value: 'a,bc' }, 'applied the changed setting'],
    ['warn', { setting: 'SERVICE_REST_PORT', value: '12' }, 'the changed setting takes effect after a restart'],
    ['warn', { setting: 'SERVICE_JWT_SECRET', value: '(set)' }, 'the changed setting takes effect after a restart'],
  ]);
  expect(applied).toEqual([expect.objectContaining({ names: ['a', 'bc'], port: 1, secret: undefined })]);
  // What waits for a restart is said once; a setting that the file no longer has is at its default again.
  expect(await change('SERVICE_REST_PORT: 12\nSERVICE_JWT_SECRET: hunter2\n')).toEqual([
    ['info', { setting: 'SERVICE_ALLOWED_HOSTS', value: '' }, 'applied the changed setting'],
  ]);
  expect(applied.at(-1)).toMatchObject({ names: [], port: 1 });
});

test('a file that is wrong or gone changes nothing, and the next right one counts', async () => {
  await using directory = await temporaryDirectory();
  const { path, loop, applied, logged, change } = await watched(directory.path, 'SERVICE_ALLOWED_HOSTS: a\n');
  expect(await change('SERVICE_ALLOWED_HOSTS: b\nSERVICE_REST_PROT: 1\n')).toEqual([
    [
      'error',
      { file: path, problems: [`${path}:2: SERVICE_REST_PROT is not a setting; did you mean SERVICE_REST_PORT?`] },
      'the changed configuration file is refused; the previous settings stay in effect',
    ],
  ]);
  logged.length = 0;
  await rm(path);
  await loop.turn();
  expect(logged).toMatchObject([
    ['error', { file: path }, 'the changed configuration file is refused; the previous settings stay in effect'],
  ]);
  expect(applied).toEqual([]);
  await change('SERVICE_ALLOWED_HOSTS: bcd\n');
  expect(applied).toMatchObject([{ names: ['bcd'] }]);
});

test('what the environment sets does not change with the file', async () => {
  await using directory = await temporaryDirectory();
  const { applied, change } = await watched(directory.path, 'SERVICE_REST_PORT: 1\n', { SERVICE_ALLOWED_HOSTS: 'env' });
  expect(await change('SERVICE_REST_PORT: 1\nSERVICE_ALLOWED_HOSTS: file\n')).toEqual([]);
  expect(applied).toEqual([]);
});

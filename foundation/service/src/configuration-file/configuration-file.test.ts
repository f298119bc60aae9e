// SPDX-License-Identifier: Apache-2.0
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfiguration } from '../configuration.ts';
import { configurationFile, hosts, integer, text, toggle } from '../setting.ts';
import { openConfigurationFile } from './configuration-file.ts';
import { shownSettings } from './shown-settings.ts';

const table = {
  file: configurationFile('SERVICE_CONFIG_FILE'),
  host: text({ name: 'SERVICE_HOST', meaning: 'Address', fallback: '127.0.0.1' }),
  port: integer({ name: 'SERVICE_REST_PORT', meaning: 'Port', fallback: 80, min: 0, max: 65535 }),
  open: toggle({ name: 'SERVICE_OPEN', meaning: 'Open', fallback: false }),
  names: hosts({ name: 'SERVICE_ALLOWED_HOSTS', meaning: 'Names', reloadable: true }),
  folders: text({ name: 'SERVICE_FOLDERS', meaning: 'Folders', fallback: undefined, separator: ':' }),
  secret: text({ name: 'SERVICE_JWT_SECRET', meaning: 'Secret', fallback: undefined, secret: true }),
};
const SECRET = 'hunter2-and-more';

let directory: TemporaryDirectory;
let path: string;
beforeAll(async () => {
  directory = await temporaryDirectory();
  path = join(directory.path, 'sextant.yaml');
});
afterAll(() => directory[Symbol.asyncDispose]());

async function read(yaml: string, env: Record<string, string> = {}, argv: readonly string[] = []) {
  await writeFile(path, yaml, { mode: 0o600 });
  const environment = { SERVICE_CONFIG_FILE: path, ...env };
  return readConfiguration(table, environment, argv, await openConfigurationFile(table, environment, argv));
}

async function problemsOf(yaml: string, env: Record<string, string> = {}): Promise<readonly string[]> {
  const outcome = await read(yaml, env);
  return outcome.kind === 'refused' ? outcome.problems : [];
}

describe('a configuration file', () => {
  test('gives settings by their names, lists as lists, and every scalar as it is written', async () => {
    const outcome = await read(
      '# of the north\nSERVICE_HOST: no\nSERVICE_REST_PORT: 7000\nSERVICE_OPEN: true\nSERVICE_ALLOWED_HOSTS:\n  - a.example\n  - b.example\nSERVICE_FOLDERS: [/a, /b]\n',
    );
    expect(outcome).toMatchObject({
      kind: 'ready',
      configuration: { host: 'no', port: 7000, open: true, names: ['a.example', 'b.example'], folders: '/a:/b', secret: undefined },
      origins: { file: { kind: 'environment' }, port: { kind: 'file', path, line: 3 }, secret: { kind: 'default' } },
      warnings: [],
    });
  });

  test('loses to the environment, which loses to flags', async () => {
    const yaml = 'SERVICE_HOST: file\nSERVICE_REST_PORT: 1\nSERVICE_OPEN: true\n';
    const outcome = await read(yaml, { SERVICE_REST_PORT: '2', SERVICE_HOST: 'env' }, ['--service-host=flag']);
    expect(outcome).toMatchObject({ configuration: { host: 'flag', port: 2, open: true } });
    expect(outcome).toMatchObject({ origins: { host: { kind: 'flag' }, port: { kind: 'environment' }, open: { kind: 'file', line: 3 } } });
  });

  test('is found by a flag, too, and may hold comments alone', async () => {
    await writeFile(path, '# nothing yet\n');
    const argv = [`--service-config-file=${path}`];
    expect(await openConfigurationFile(table, {}, argv)).toMatchObject({ path, problems: [] });
    expect(await openConfigurationFile(table, {}, [])).toBeUndefined();
  });

  test.each([
    ['an unknown name', 'SERVICE_REST_PROT: 7000', ':1: SERVICE_REST_PROT is not a setting; did you mean SERVICE_REST_PORT?'],
    ['a name without its prefix', 'rest-port: 7000', ':1: rest-port is not a setting; did you mean SERVICE_REST_PORT?'],
    ['a strange name', 'colour: blue', ':1: colour is not a setting; expected one of SERVICE_HOST, SERVICE_REST_PORT'],
    ['a wrong value', '\n\nSERVICE_REST_PORT: 7x', ':3: SERVICE_REST_PORT is "7x"; expected an integer from 0 to 65535'],
    ['a word of older YAML', 'SERVICE_OPEN: yes', ':1: SERVICE_OPEN is "yes"; expected true or false'],
    ['no value', 'SERVICE_HOST:', ':1: SERVICE_HOST has no value; expected some text; remove the line to use the default'],
    ['an empty list', 'SERVICE_ALLOWED_HOSTS: []', ':1: SERVICE_ALLOWED_HOSTS has no value; expected names or addresses'],
    ['a list where one value belongs', 'SERVICE_HOST: [a, b]', ':1: SERVICE_HOST takes one value, not a list; expected some text'],
    ['a mapping', 'SERVICE_HOST: { a: b }', ':1: SERVICE_HOST holds neither a value nor a list of values; expected some text'],
    ['an alias', 'SERVICE_HOST: &a x\nSERVICE_FOLDERS: *a', ':2: SERVICE_FOLDERS holds neither a value nor a list of values'],
    ['a name twice', 'SERVICE_HOST: a\nSERVICE_HOST: b', ':2: SERVICE_HOST is set more than once in the file; set it once'],
    ['the file itself', 'SERVICE_CONFIG_FILE: a', ':1: SERVICE_CONFIG_FILE is the path of this file, so it cannot be set in the file'],
    ['a list alone', '- SERVICE_HOST', ':1: expected settings as NAME: value'],
    ['a text alone', 'SERVICE_HOST', ':1: expected settings as NAME: value'],
    ['a second document', 'SERVICE_HOST: a\n---\nSERVICE_HOST: b', ':2: the file has a second YAML document; expected one'],
    ['a tag', 'SERVICE_REST_PORT: !!int 7', ':1: this is not valid YAML (tag resolve failed)'],
    ['a quote without an end', 'SERVICE_HOST: "a', ':1: this is not valid YAML (missing char)'],
  ])('is refused for %s', async (_name, yaml, problem) => {
    expect(await problemsOf(yaml)).toEqual([expect.stringContaining(`${path}${problem}`)]);
  });

  test('is refused for a wrong value that the environment overrides, and for all faults at once', async () => {
    const problems = await problemsOf('SERVICE_REST_PORT: x\nSERVICE_OPNE: true\n', { SERVICE_REST_PORT: '7000' });
    expect(problems).toHaveLength(2);
  });

  test('is refused where it cannot be read', async () => {
    const environment = { SERVICE_CONFIG_FILE: join(directory.path, 'gone.yaml') };
    const file = await openConfigurationFile(table, environment, []);
    expect(readConfiguration(table, environment, [], file)).toEqual({
      kind: 'refused',
      problems: [`${environment.SERVICE_CONFIG_FILE} cannot be read (ENOENT); expected the configuration file`],
    });
    expect(await openConfigurationFile(table, { SERVICE_CONFIG_FILE: directory.path }, [])).toMatchObject({
      problems: [expect.stringContaining('EISDIR')],
    });
  });

  test.each([
    `SERVICE_JWT_SECERT: ${SECRET}`,
    `SERVICE_JWT_SECRET: [${SECRET}]`,
    `SERVICE_JWT_SECRET: *${SECRET}`,
    `SERVICE_JWT_SECRET: "${SECRET}`,
    `SERVICE_JWT_SECRET: @${SECRET}`,
    `SERVICE_JWT_SECRET\n  ${SECRET}: : x`,
    `SERVICE_JWT_SECRET: !${SECRET} x`,
    `SERVICE_JWT_SECRET: { ${SECRET}: x }`,
    `SERVICE_JWT_SECRET: a\n${SECRET}`,
    `%${SECRET}\n---\nSERVICE_HOST: a`,
  ])('does not repeat a secret where it is wrong: %j', async (yaml) => {
    const problems = await problemsOf(yaml);
    expect(problems).not.toEqual([]);
    expect(JSON.stringify(problems)).not.toContain(SECRET);
  });

  test.skipIf(process.platform === 'win32')('with a secret that others may read gets a warning', async () => {
    const yaml = `SERVICE_JWT_SECRET: ${SECRET}\n`;
    expect(await read(yaml)).toMatchObject({ warnings: [] });
    const environment = { SERVICE_CONFIG_FILE: path };
    await chmod(path, 0o640);
    const { warnings = [] } = (await openConfigurationFile(table, environment, [])) ?? {};
    expect(warnings).toEqual([`${path} holds a secret, and other users can read the file; run \`chmod 600 ${path}\` to prevent this`]);
    await writeFile(path, 'SERVICE_HOST: a\n');
    expect(await openConfigurationFile(table, environment, [])).toMatchObject({ warnings: [] });
    await chmod(path, 0o600);
  });
});

test('shown settings have their values and origins, and of a secret only that it is set', async () => {
  const outcome = await read(`SERVICE_JWT_SECRET: ${SECRET}\nSERVICE_ALLOWED_HOSTS: [a, b]\n`, { SERVICE_REST_PORT: '7000' });
  if (outcome.kind !== 'ready') throw new Error('the file is right');
  expect(shownSettings(table, outcome)).toEqual([
    { name: 'SERVICE_CONFIG_FILE', value: path, origin: 'environment', reloadable: false },
    { name: 'SERVICE_HOST', value: '127.0.0.1', origin: 'default', reloadable: false },
    { name: 'SERVICE_REST_PORT', value: '7000', origin: 'environment', reloadable: false },
    { name: 'SERVICE_OPEN', value: 'false', origin: 'default', reloadable: false },
    { name: 'SERVICE_ALLOWED_HOSTS', value: 'a,b', origin: `${path}:2`, reloadable: true },
    { name: 'SERVICE_FOLDERS', origin: 'default', reloadable: false },
    { name: 'SERVICE_JWT_SECRET', value: '(set)', origin: `${path}:1`, reloadable: false },
  ]);
});

// SPDX-License-Identifier: Apache-2.0
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { defaultPath, readSettings } from './settings.ts';

const NOWHERE = { XDG_CONFIG_HOME: '/nosuch' };

test('without anything they are those of a local start', async () => {
  expect(await readSettings({}, { ...NOWHERE, SEXTANT_URL: '' }, () => {})).toEqual({
    vector: { url: 'http://127.0.0.1:6573', apiKey: undefined },
    observability: { url: 'http://127.0.0.1:6580', apiKey: undefined, tenant: 'default' },
  });
});

test('flags win over the environment, that over the file', async () => {
  await using directory = await temporaryDirectory();
  const config = join(directory.path, 'config.json');
  await writeFile(config, JSON.stringify({ url: 'http://file', api_key: 'file', tenant: 'file', observability_key: 'file' }), {
    mode: 0o600,
  });
  const settings = await readSettings(
    { url: 'http://flag/', config },
    { SEXTANT_URL: 'http://env', SEXTANT_API_KEY: 'env', SEXTANT_TENANT: 'env' },
    () => {},
  );
  expect(settings).toEqual({
    vector: { url: 'http://flag', apiKey: 'env' },
    observability: { url: 'http://127.0.0.1:6580', apiKey: 'file', tenant: 'env' },
  });
});

test('a file with a key that others may read is warned of', async () => {
  await using directory = await temporaryDirectory();
  const config = join(directory.path, 'config.json');
  await writeFile(config, '{"api_key": "secret"}');
  await chmod(config, 0o644);
  const warnings: string[] = [];
  await readSettings({ config }, {}, (warning) => warnings.push(warning));
  expect(warnings).toEqual([expect.stringContaining('chmod 600')]);
  expect(warnings.join()).not.toContain('secret');
});

test.each([
  ['{"api_key": secret', 'is not valid JSON'],
  ['{"apiKey": "secret"}', 'is not valid: apiKey: unknown member'],
  ['{"api_key": 12345}', 'is not valid: api_key: expected a string'],
])('a file of %j is refused without its secrets', async (text, sentence) => {
  await using directory = await temporaryDirectory();
  const config = join(directory.path, 'config.json');
  await writeFile(config, text);
  const refused = readSettings({ config }, {}, () => {});
  await expect(refused).rejects.toThrow(sentence);
  await expect(refused).rejects.not.toThrow(/secret|12345/);
});

test('a file that is named has to be there, the usual one has not', async () => {
  await expect(readSettings({ config: '/nosuch/config.json' }, {}, () => {})).rejects.toThrow('cannot be read');
  await expect(readSettings({}, { SEXTANT_CONFIG: '/nosuch/config.json' }, () => {})).rejects.toThrow('cannot be read');
  expect(defaultPath({ HOME: '/home/x' })).toBe('/home/x/.config/sextant/config.json');
});

test.each(['127.0.0.1:6573', 'ftp://x', 'http://user:secret@x', ''])(
  'the address %j is refused, and no secret in it shown',
  async (url) => {
    const refused = readSettings({ url }, NOWHERE, () => {});
    await expect(refused).rejects.toThrow('the address for --url');
    await expect(refused).rejects.not.toThrow(/secret/);
  },
);

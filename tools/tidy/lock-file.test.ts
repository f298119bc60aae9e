// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { checkExactVersions, checkLockFile, checkLockFits, checkRuntime } from './lock-file.ts';

const json = (value: object, path = 'package.json') => ({ path, text: JSON.stringify(value) });

test('a lock file that names a registry is refused; links and versions are not', () => {
  const packages = {
    '': {},
    'node_modules/@sextant/tools': { resolved: 'tools', link: true },
    'node_modules/pino': { version: '10.4.0', integrity: 'sha512-x' },
  };
  expect(checkLockFile(json({ packages }))).toEqual([]);
  const withHost = { ...packages, 'node_modules/knip': { version: '1.0.0', resolved: 'https://registry.example.com/knip.tgz' } };
  expect(checkLockFile(json({ packages: withHost }))).toMatchObject([{ message: expect.stringContaining('node_modules/knip') }]);
});

describe('a lock file', () => {
  const lock = json({ packages: { '': { devDependencies: { knip: '1.0.0' } }, tools: { dependencies: { pino: '2.0.0' } } } });
  const rootManifest = json({ devDependencies: { knip: '1.0.0' } });

  test('fits the manifests that it was written for', () => {
    expect(checkLockFits(lock, [rootManifest, json({ dependencies: { pino: '2.0.0' } }, 'tools/package.json')])).toEqual([]);
  });

  test.each([
    [{ pino: '2.0.1' }, 'wants pino 2.0.1, the lock file has 2.0.0'],
    [{}, 'wants pino no more, the lock file has 2.0.0'],
    [{ pino: '2.0.0', lmdb: '3.0.0' }, 'wants lmdb 3.0.0, the lock file has none'],
  ])('does not fit %j', (dependencies, message) => {
    const findings = checkLockFits(lock, [rootManifest, json({ dependencies }, 'tools/package.json')]);
    expect(findings).toMatchObject([{ path: 'tools/package.json', message: expect.stringContaining(message) }]);
  });

  test('does not fit a package that it has never seen', () => {
    expect(checkLockFits(lock, [json({ dependencies: { pino: '2.0.0' } }, 'clients/sdk/package.json')])).toHaveLength(1);
  });
});

test('the services need few packages; tools, links and binaries for single platforms do not count', () => {
  const packages = {
    '': {},
    'vector/server': {},
    'node_modules/@sextant/tools': { link: true },
    'node_modules/knip': { dev: true },
    'node_modules/lmdb-of-linux': { os: ['linux'] },
    'node_modules/pino': {},
    'node_modules/pino/node_modules/thread': {},
  };
  expect(checkRuntime(json({ packages }), 3)).toEqual([]);
  expect(checkRuntime(json({ packages }), 2)).toMatchObject([{ message: expect.stringContaining('2 packages are needed') }]);
});

describe('a version', () => {
  test.each(['1.2.3', '1.2.3-beta.1', 'npm:@scope/other@1.2.3'])('%s is exact', (version) => {
    expect(checkExactVersions(json({ dependencies: { a: version } }))).toEqual([]);
  });

  test.each(['^1.2.3', '~1.2.3', '1.2', '*', 'latest', '>=1.0.0', 'npm:other@^1.2.3', 'file:../a', '1.2.3 || 2.0.0'])(
    '%s is not',
    (version) => {
      expect(checkExactVersions(json({ devDependencies: { a: version } }))).toHaveLength(1);
    },
  );
});

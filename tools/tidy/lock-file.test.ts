import { describe, expect, test } from 'vitest';
import { checkExactVersions, checkLockFile } from './lock-file.ts';

const json = (value: object) => ({ path: 'package.json', text: JSON.stringify(value) });

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

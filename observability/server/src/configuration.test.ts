import { describe, expect, test } from 'vitest';
import { allowedDirectoriesOf, readObservabilityConfiguration } from './configuration.ts';

describe('settings', () => {
  test('have the documented defaults', () => {
    const outcome = readObservabilityConfiguration({}, []);
    expect(outcome).toMatchObject({
      kind: 'ready',
      configuration: { host: '127.0.0.1', port: 6580, dataDirectory: './data/observability', allowPrivateNetworks: false },
    });
  });

  test('of an outside issuer belong together', () => {
    const outcome = readObservabilityConfiguration({ OBSERVABILITY_OIDC_ISSUER: 'https://issuer.example' }, []);
    expect(outcome).toMatchObject({ kind: 'refused', problems: [expect.stringContaining('belong together')] });
  });

  test.each([
    ['OBSERVABILITY_ENCRYPTION_KEY', 'short', 'too short'],
    ['OBSERVABILITY_PLATFORM_TOKEN', 'short', 'too short'],
    ['DATABASE_URL', 'mysql://example', 'expected postgres://'],
    ['OBSERVABILITY_ALLOWED_DIRECTORIES', 'relative/folder', 'expected absolute paths'],
    ['OBSERVABILITY_PORT', '99999', 'an integer from 0 to 65535'],
  ])('%s=%s is refused with a sentence, and a secret is not repeated', (name, value, sentence) => {
    const outcome = readObservabilityConfiguration({ [name]: value }, []);
    expect(outcome).toMatchObject({ kind: 'refused', problems: [expect.stringContaining(sentence)] });
  });

  test('allowed directories are several absolute paths', () => {
    expect(allowedDirectoriesOf({ allowedDirectories: '/srv/data:/mnt/share' })).toEqual(['/srv/data', '/mnt/share']);
    expect(allowedDirectoriesOf({ allowedDirectories: undefined })).toEqual([]);
  });
});

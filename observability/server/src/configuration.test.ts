// SPDX-License-Identifier: Apache-2.0
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

  test('let two scans run at a time on any machine, and more where a database measures', () => {
    const outcome = readObservabilityConfiguration({}, []);
    const { scanConcurrency = 0, databaseScanConcurrency } = outcome.kind === 'ready' ? outcome.configuration : {};
    expect(scanConcurrency).toBeGreaterThanOrEqual(2);
    expect(databaseScanConcurrency).toBe(8);
  });

  test('of an outside issuer belong together', () => {
    const outcome = readObservabilityConfiguration({ OBSERVABILITY_OIDC_ISSUER: 'https://issuer.example' }, []);
    expect(outcome).toMatchObject({ kind: 'refused', problems: [expect.stringContaining('belong together')] });
  });

  test('of the mail server belong together', () => {
    const server = { SMTP_URL: 'smtp://me:secret@mail.internal:587', SMTP_FROM: 'Sextant <alerts@example.com>' };
    expect(readObservabilityConfiguration(server, [])).toMatchObject({ kind: 'ready' });
    expect(readObservabilityConfiguration({ SMTP_FROM: server.SMTP_FROM }, [])).toMatchObject({
      kind: 'refused',
      problems: [expect.stringContaining('belong together')],
    });
    const broken = readObservabilityConfiguration({ SMTP_URL: 'http://me:secret@mail', SMTP_FROM: 'x\r\nBcc: y@example.com' }, []);
    expect(broken).toMatchObject({ problems: [expect.stringContaining('smtp://user'), expect.stringContaining('SMTP_FROM')] });
    expect(JSON.stringify(broken)).not.toContain('me:secret');
  });

  test.each([
    ['OBSERVABILITY_PUBLIC_URL', 'sextant.example', 'expected an http or https address'],
    ['OBSERVABILITY_ENCRYPTION_KEY', 'short', 'too short'],
    ['OBSERVABILITY_PLATFORM_TOKEN', 'short', 'too short'],
    ['DATABASE_URL', 'mysql://example', 'expected postgres://'],
    ['OBSERVABILITY_ALLOWED_DIRECTORIES', 'relative/folder', 'expected absolute paths'],
    ['OBSERVABILITY_PORT', '99999', 'an integer from 0 to 65535'],
  ])('%s=%s is refused with a sentence, and a secret is not repeated', (name, value, sentence) => {
    const outcome = readObservabilityConfiguration({ [name]: value }, []);
    expect(outcome).toMatchObject({ kind: 'refused', problems: [expect.stringContaining(sentence)] });
  });

  test('uploads lie in one place, which the processes of a database share', () => {
    const database = { DATABASE_URL: 'postgres://example/sextant' };
    const store = { OBSERVABILITY_UPLOAD_STORE: 's3://bucket/prefix' };
    const problemsOf = (environment: { readonly [name: string]: string }) => readObservabilityConfiguration(environment, []);
    expect(problemsOf({ ...database, ...store })).toMatchObject({ kind: 'ready' });
    expect(problemsOf({ ...database, ...store, OBSERVABILITY_UPLOAD_DIR: '/uploads' })).toMatchObject({
      problems: ['OBSERVABILITY_UPLOAD_DIR and OBSERVABILITY_UPLOAD_STORE cannot both be set; set one of them'],
    });
    expect(problemsOf(store)).toMatchObject({
      problems: [expect.stringMatching(/^OBSERVABILITY_UPLOAD_STORE is only for processes that share/)],
    });
    expect(problemsOf({ ...database, OBSERVABILITY_UPLOAD_STORE: '/uploads' })).toMatchObject({
      problems: [expect.stringMatching(/^OBSERVABILITY_UPLOAD_STORE is not the address of an object store; expected s3:/)],
    });
  });

  test('allowed directories are several absolute paths', () => {
    expect(allowedDirectoriesOf({ allowedDirectories: '/srv/data:/mnt/share' })).toEqual(['/srv/data', '/mnt/share']);
    expect(allowedDirectoriesOf({ allowedDirectories: undefined })).toEqual([]);
  });
});

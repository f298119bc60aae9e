// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CertificateAuthority,
  certificateAuthority,
  type IssuedCertificate,
  opensslProblem,
  temporaryDirectory,
} from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTls, tlsFilesOf, tlsProblems } from './tls-files.ts';

const problem = opensslProblem();
test.runIf(problem !== undefined)(`tests of certificates are skipped: ${problem}`, () => undefined);

describe.skipIf(problem !== undefined)('the files of a service that speaks TLS', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let authority: CertificateAuthority;
  let own: IssuedCertificate;
  let other: IssuedCertificate;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    authority = await certificateAuthority(directory.path);
    [own, other] = [await authority.issue('own'), await authority.issue('other')];
  });
  afterAll(() => directory[Symbol.asyncDispose]());

  const configured = (tlsCertificateFile?: string, tlsKeyFile?: string, tlsClientCaFile?: string) => ({
    tlsCertificateFile,
    tlsKeyFile,
    tlsClientCaFile,
  });

  test('are read, and say when the certificate ends', () => {
    const files = tlsFilesOf(configured(own.certificateFile, own.keyFile, authority.caFile));
    if (files === undefined) throw new Error('there are files');
    expect(readTls(files).notAfterMs).toBeGreaterThan(Date.now());
    expect(tlsProblems(configured(own.certificateFile, own.keyFile, authority.caFile), 'X')).toEqual([]);
    expect(tlsFilesOf(configured())).toBeUndefined();
    expect(tlsProblems(configured(), 'X')).toEqual([]);
  });

  test('are refused with the file and the reason', async () => {
    const gone = join(directory.path, 'gone.pem');
    const text = join(directory.path, 'text.pem');
    await writeFile(text, 'no PEM');
    expect(tlsProblems(configured(own.certificateFile), 'X')).toEqual([
      'X_TLS_CERT_FILE and X_TLS_KEY_FILE belong together; set both or neither',
    ]);
    expect(tlsProblems(configured(undefined, undefined, authority.caFile), 'X')).toEqual([
      'X_TLS_CLIENT_CA_FILE needs X_TLS_CERT_FILE and X_TLS_KEY_FILE',
    ]);
    const reasons: readonly (readonly [string, string, string | undefined, string])[] = [
      [gone, own.keyFile, undefined, `${gone} cannot be read (ENOENT)`],
      [text, own.keyFile, undefined, `${text} contains no certificate in PEM`],
      [own.certificateFile, text, undefined, `${text} contains no private key without a passphrase in PEM`],
      [
        own.certificateFile,
        other.keyFile,
        undefined,
        `the key in ${other.keyFile} does not belong to the certificate in ${own.certificateFile}`,
      ],
      [own.certificateFile, own.keyFile, text, `${text} contains no certificate in PEM`],
    ];
    for (const [certificate, key, ca, reason] of reasons)
      expect(tlsProblems(configured(certificate, key, ca), 'X')).toEqual([`X_TLS: ${reason}`]);
  });
});

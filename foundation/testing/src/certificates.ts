// SPDX-License-Identifier: Apache-2.0
/** Certificates for tests, made by OpenSSL, since Node.js cannot make any. */
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClientTls } from './json-client.ts';

const run = promisify(execFile);
const DAYS = 30;
/** Small and quick to make. */
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export type IssuedCertificate = {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** For a client that trusts the authority and shows this certificate. */
  readonly client: ClientTls;
};

export type CertificateAuthority = {
  readonly caFile: string;
  /** For a client that trusts the authority and shows no certificate. */
  readonly client: ClientTls;
  /** Good for this machine's loopback names. */
  readonly issue: (name: string) => Promise<IssuedCertificate>;
};

/** Why there can be no certificates, or undefined. */
export function opensslProblem(): string | undefined {
  const { status, stdout } = spawnSync('openssl', ['version'], { encoding: 'utf8' });
  if (status !== 0) return 'OpenSSL is not installed';
  const [, major = '0'] = /^OpenSSL (\d+)\./.exec(stdout) ?? [];
  return Number(major) >= 3 ? undefined : `OpenSSL 3 is needed, and there is ${stdout.trim()}`;
}

/** A new authority, whose files and those of what it issues are in `directory`. */
export async function certificateAuthority(directory: string, name = 'authority'): Promise<CertificateAuthority> {
  const [caFile, caKeyFile] = [join(directory, `${name}.pem`), join(directory, `${name}.key`)];
  const request = ['req', '-x509', ...KEY, '-days', String(DAYS)];
  await run('openssl', [...request, '-keyout', caKeyFile, '-out', caFile, '-subj', `/CN=${name}`]);
  const ca = await readFile(caFile, 'utf8');
  return {
    caFile,
    client: { ca },
    issue: async (issued) => {
      const [certificateFile, keyFile] = [join(directory, `${issued}.pem`), join(directory, `${issued}.key`)];
      const extensions = ['subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1', 'basicConstraints=critical,CA:FALSE'];
      const own = ['-keyout', keyFile, '-out', certificateFile, '-subj', `/CN=${issued}`, '-CA', caFile, '-CAkey', caKeyFile];
      await run('openssl', [...request, ...own, ...extensions.flatMap((extension) => ['-addext', extension])]);
      return {
        certificateFile,
        keyFile,
        client: { ca, cert: await readFile(certificateFile, 'utf8'), key: await readFile(keyFile, 'utf8') },
      };
    },
  };
}

// SPDX-License-Identifier: Apache-2.0
/** Certificate, key and trusted clients of a service, in the files that an operator names. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Configuration } from '../configuration.ts';
import { type Setting, text } from '../setting.ts';

export type TlsFiles = {
  /** PEM: the certificate of the service, then those between it and a known authority. */
  readonly certificateFile: string;
  /** PEM, without a passphrase. */
  readonly keyFile: string;
  /** PEM: authorities one of which must have issued the certificate that a client shows; undefined asks clients for none. */
  readonly clientCaFile: string | undefined;
};

export type TlsMaterial = {
  readonly options: Required<Pick<SecureContextOptions, 'cert' | 'key' | 'minVersion'>> & Pick<SecureContextOptions, 'ca'>;
  readonly notAfterMs: number;
};

/** TLS 1.0 and 1.1 are deprecated: RFC 8996. */
const VERSION_MIN = 'TLSv1.2';

/** The settings of a service whose names begin with `prefix`. */
export function tlsSettings(prefix: string) {
  const file = (suffix: string, meaning: string): Setting<string | undefined> => text({ name: `${prefix}_TLS_${suffix}`, meaning });
  return {
    tlsCertificateFile: file(
      'CERT_FILE',
      'File with the TLS certificate and its chain, in PEM. With certificate and key, the service accepts only TLS connections. A changed file takes effect within seconds',
    ),
    tlsKeyFile: file('KEY_FILE', 'File with the key of the certificate, in PEM, without a passphrase'),
    tlsClientCaFile: file(
      'CLIENT_CA_FILE',
      'File with the CA certificates for client certificates, in PEM. If set, every client must present a certificate that one of these CAs issued',
    ),
  } as const;
}

export type TlsConfiguration = Configuration<ReturnType<typeof tlsSettings>>;

/** Undefined where the service speaks no TLS. */
export function tlsFilesOf({ tlsCertificateFile, tlsKeyFile, tlsClientCaFile }: TlsConfiguration): TlsFiles | undefined {
  if (tlsCertificateFile === undefined || tlsKeyFile === undefined) return undefined;
  return { certificateFile: tlsCertificateFile, keyFile: tlsKeyFile, clientCaFile: tlsClientCaFile };
}

/** What keeps a service from speaking TLS as it is configured, in sentences for its operator. */
export function tlsProblems(configuration: TlsConfiguration, prefix: string): readonly string[] {
  const { tlsCertificateFile, tlsKeyFile, tlsClientCaFile } = configuration;
  if ((tlsCertificateFile === undefined) !== (tlsKeyFile === undefined))
    return [`${prefix}_TLS_CERT_FILE and ${prefix}_TLS_KEY_FILE belong together; set both or neither`];
  const files = tlsFilesOf(configuration);
  if (files === undefined) {
    return tlsClientCaFile === undefined ? [] : [`${prefix}_TLS_CLIENT_CA_FILE needs ${prefix}_TLS_CERT_FILE and ${prefix}_TLS_KEY_FILE`];
  }
  try {
    readTls(files);
    return [];
  } catch (error) {
    if (error instanceof TlsFileError) return [`${prefix}_TLS: ${error.message}`];
    throw error;
  }
}

/** A file that cannot be used; the message says which one, and why. */
export class TlsFileError extends Error {
  override readonly name = 'TlsFileError';
}

/** @throws TlsFileError */
export function readTls({ certificateFile, keyFile, clientCaFile }: TlsFiles): TlsMaterial {
  const cert = read(certificateFile);
  const key = read(keyFile);
  const certificate = parsed(certificateFile, 'certificate', () => new X509Certificate(cert));
  const privateKey = parsed(keyFile, 'private key without a passphrase', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw new TlsFileError(`the key in ${keyFile} does not belong to the certificate in ${certificateFile}`);
  const ca = clientCaFile === undefined ? undefined : read(clientCaFile);
  if (ca !== undefined) parsed(clientCaFile ?? '', 'certificate', () => new X509Certificate(ca));
  const options = { cert, key, minVersion: VERSION_MIN, ...(ca !== undefined && { ca }) } as const;
  parsed(certificateFile, 'chain of certificates', () => createSecureContext(options));
  return { options, notAfterMs: certificate.validToDate.getTime() };
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'it cannot be read';
    throw new TlsFileError(`${path} cannot be read (${code})`, { cause });
  }
}

function parsed<Value>(path: string, what: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (cause) {
    throw new TlsFileError(`${path} contains no ${what} in PEM`, { cause });
  }
}

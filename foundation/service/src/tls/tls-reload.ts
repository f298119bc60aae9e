// SPDX-License-Identifier: Apache-2.0
/** The certificate of running servers: renewed files are taken over without a restart, and broken ones leave what there was. */
import { statSync } from 'node:fs';
import type { Clock } from '@sextant/foundation-std';
import { type Periodic, periodic } from '../periodic.ts';
import { readTls, type TlsFiles, type TlsMaterial } from './tls-files.ts';

const LOOK_MS = 5000;
/** A client that takes longer for its handshake is cut: it holds a descriptor for nothing. */
const HANDSHAKE_MS = 10_000;

/** What a server of `node:tls` or `node:https` has to do with it. */
type SecureServer = { setSecureContext(options: TlsMaterial['options']): void };

type Say = (details: object, message: string) => void;
type TlsLog = { readonly info: Say; readonly warn: Say; readonly error: Say };

export type ServerTls = {
  /** For the making of a server. */
  readonly options: TlsMaterial['options'] & {
    readonly handshakeTimeout: number;
    readonly requestCert: boolean;
    readonly rejectUnauthorized: boolean;
  };
  /** When the certificate ends that is served now. */
  readonly notAfterMs: () => number;
  /** From now on the server gets what the files hold. */
  readonly keepCurrent: (server: SecureServer) => void;
  readonly close: () => Promise<void>;
};

/** @throws TlsFileError where the files cannot be used */
export function openServerTls(files: TlsFiles, { clock, log }: { readonly clock: Clock; readonly log: TlsLog }): ServerTls {
  let material = readTls(files);
  let seen = stateOf(files);
  const servers: SecureServer[] = [];
  const isMutual = files.clientCaFile !== undefined;
  if (material.notAfterMs < clock.nowMs()) log.warn({ file: files.certificateFile }, 'the certificate has expired');
  const loop: Periodic = periodic({
    pauseMs: LOOK_MS,
    clock,
    turn: async () => {
      const state = stateOf(files);
      if (state === seen) return false;
      seen = state;
      material = readTls(files);
      for (const server of servers) server.setSecureContext(material.options);
      log.info({ file: files.certificateFile, notAfter: new Date(material.notAfterMs).toISOString() }, 'applied the changed certificate');
      return false;
    },
    onError: (error) => log.error({ err: error }, 'the changed certificate cannot be used; the previous one stays in use'),
  });
  loop.wake();
  return {
    options: { ...material.options, handshakeTimeout: HANDSHAKE_MS, requestCert: isMutual, rejectUnauthorized: isMutual },
    notAfterMs: () => material.notAfterMs,
    keepCurrent: (server) => void servers.push(server),
    close: () => loop.stop(),
  };
}

/** Another text where a file is another one or has been written to. */
function stateOf({ certificateFile, keyFile, clientCaFile }: TlsFiles): string {
  return JSON.stringify(
    [certificateFile, keyFile, clientCaFile].map((path) => {
      const stat = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? null : [stat.ino, stat.size, stat.mtimeMs];
    }),
  );
}

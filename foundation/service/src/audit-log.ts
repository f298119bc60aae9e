// SPDX-License-Identifier: Apache-2.0
/**
 * Who administered a service: one JSON object a line, in a file that is only appended to, on disk before the caller has the answer. What it says of a
 * request is who, from where, what and with which outcome; never a body, a password or a token.
 */
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@sextant/foundation-std';

export type AuditEntry = {
  /** As the API description names it. */
  readonly operation: string;
  /** Such as `admin`, `token 7` or an e-mail address. */
  readonly actor: string;
  /** Where the request came from; empty where that is unknown. */
  readonly address: string;
  /** Of the answer, in the words of HTTP. */
  readonly status: number;
  /** What the path of the request names, such as the collection or the tenant. */
  readonly target: { readonly [name: string]: string };
};

export type AuditLogOptions = {
  readonly path: string;
  readonly clock: Clock;
  readonly log: { readonly error: (details: object, message: string) => void };
  /** From here on a new file begins. */
  readonly fileBytesMax?: number;
};

const OWNER_ONLY = 0o600;
const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** Older files, `.1` the newest; the oldest goes when another one begins. */
const FILES_KEPT = 9;
/** Names in paths are free text of callers. */
const TEXT_MAX = 300;
/** More than a line has. */
const LINE_BYTES_MAX = 64 * 1024;

export class AuditLog {
  readonly #options: Required<AuditLogOptions>;
  #file: number;
  #bytes: number;
  #isFailing = false;

  /** Opens the file, or begins it. */
  constructor({ fileBytesMax = FILE_BYTES_MAX, ...options }: AuditLogOptions) {
    this.#options = { ...options, fileBytesMax };
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    this.#file = openSync(options.path, 'a+', OWNER_ONLY);
    this.#bytes = wholeLines(this.#file);
    ftruncateSync(this.#file, this.#bytes);
  }

  /** Where the file cannot be written, the service goes on and its log says so, once until it can. */
  append({ operation, actor, address, status, target }: AuditEntry): void {
    const time = new Date(this.#options.clock.nowMs()).toISOString();
    const named = Object.fromEntries(Object.entries(target).map(([name, value]) => [name, value.slice(0, TEXT_MAX)]));
    const line = Buffer.from(`${JSON.stringify({ time, operation, actor: actor.slice(0, TEXT_MAX), address, status, target: named })}\n`);
    try {
      if (this.#bytes > 0 && this.#bytes + line.length > this.#options.fileBytesMax) this.#beginAnother();
      if (writeSync(this.#file, line) < line.length) throw new Error('the disk had room for only a part of the line');
      fdatasyncSync(this.#file);
      this.#bytes += line.length;
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#options.log.error({ err: error }, 'the audit log cannot be written; entries are lost until it can be written again');
      this.#isFailing = true;
      this.#dropPart();
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Of a line that was not written whole, so that the next one begins on a line of its own. */
  #dropPart(): void {
    try {
      ftruncateSync(this.#file, this.#bytes);
    } catch (error) {
      this.#options.log.error({ err: error }, 'the audit log may contain an incomplete line');
    }
  }

  #beginAnother(): void {
    const { path } = this.#options;
    const older = (number: number) => (number === 0 ? path : `${path}.${number}`);
    rmSync(older(FILES_KEPT), { force: true });
    for (let number = FILES_KEPT - 1; number >= 0; number -= 1) {
      try {
        renameSync(older(number), older(number + 1));
      } catch (error) {
        // There are not as many yet.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      }
    }
    const former = this.#file;
    this.#file = openSync(path, 'a', OWNER_ONLY);
    this.#bytes = 0;
    closeSync(former);
  }
}

/** Bytes up to the end of the last whole line: of one that a crash cut nobody had the answer. */
function wholeLines(file: number): number {
  const { size } = fstatSync(file);
  const tail = Buffer.alloc(Math.min(size, LINE_BYTES_MAX));
  readSync(file, tail, 0, tail.length, size - tail.length);
  return tail.length === 0 ? 0 : size - tail.length + tail.lastIndexOf(0x0a) + 1;
}

// SPDX-License-Identifier: Apache-2.0
/**
 * How much room the disk of a data directory has. One thread looks at it again and again; all threads know what it found. Below the reserve the
 * service stops to write before the disk stops it, so that deletions, whose pages storage copies before it frees them, still find room. Where
 * the disk refuses a write although the file system says that there is room, as with quotas, only a write that succeeds ends it.
 */
import { closeSync, fsyncSync, openSync, rmSync, type StatsFs, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@sextant/foundation-std';

export type DiskFigures = { readonly free: number; readonly reserve: number; readonly isFull: boolean };

const FREE = 0;
const RESERVE = 1;
const REFUSED = 2;
const WORDS = 3;

/** Of small file systems this share is kept, where it is less than the reserve. */
const RESERVE_SHARE = 0.05;
const LOOK_MS = 1000;
/** The probe after a refused write: more than the few blocks that a nearly exhausted quota may have left. */
const PROBE_FILE = '.room';
const PROBE_BYTES = 1024 * 1024;
/** A write is let in where the disk has room for so many times its bytes: pages, indexes and graphs come with it. */
const BYTES_FOR_BYTE = 2;
/** Small requests may write much, such as a change of many payloads; this is what one counts at least. */
const WRITE_BYTES_MIN = 64 * 1024;
/** The disk is looked at before writes since the last look could have taken the room that was left, were each to take so many times its bytes. */
const DOUBT_FOR_BYTE = 8;

export class DiskRoom {
  readonly #words: BigInt64Array;
  #watch: DiskWatch | undefined;
  #bytesSinceLook = 0;

  /** @param shared what all threads know; see `allocate` */
  constructor(shared: SharedArrayBuffer) {
    this.#words = new BigInt64Array(shared);
  }

  /** Until the first look the disk has room. */
  static allocate(): SharedArrayBuffer {
    const shared = new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT);
    new BigInt64Array(shared)[FREE] = BigInt(Number.MAX_SAFE_INTEGER);
    return shared;
  }

  get figures(): DiskFigures {
    const [free, reserve] = [this.#read(FREE), this.#read(RESERVE)];
    return { free, reserve, isFull: this.#read(REFUSED) === 1 || free < reserve };
  }

  /** Whether a write of so many bytes may begin. The thread that watches looks again where the writes since its last look may have mattered. */
  allows(bytes: number): boolean {
    this.#bytesSinceLook += Math.max(bytes, WRITE_BYTES_MIN);
    if (this.#watch !== undefined && DOUBT_FOR_BYTE * this.#bytesSinceLook > this.#read(FREE) - this.#read(RESERVE))
      this.#look(this.#watch);
    const { free, reserve, isFull } = this.figures;
    return !isFull && free - BYTES_FOR_BYTE * bytes >= reserve;
  }

  /** The disk has refused a write. */
  noteRefusal(): void {
    Atomics.store(this.#words, REFUSED, 1n);
  }

  /** On the thread that watches, as it is at this moment. */
  hasRoomNow(): boolean {
    if (this.#watch !== undefined) this.#look(this.#watch);
    return !this.figures.isFull;
  }

  #read(word: number): number {
    return Number(Atomics.load(this.#words, word));
  }

  #store(word: number, value: number): void {
    Atomics.store(this.#words, word, BigInt(Math.floor(value)));
  }

  /** Looks once, and then again and again until it is disposed of. For one thread. */
  watch(watch: DiskWatch): Disposable {
    this.#watch = watch;
    let wasFull = false;
    const look = () => {
      this.#look(watch);
      const { isFull } = this.figures;
      if (isFull === wasFull) return;
      wasFull = isFull;
      watch.onChange(this.figures);
    };
    look();
    const timer = watch.clock.every(LOOK_MS, look).unref();
    return { [Symbol.dispose]: () => timer.cancel() };
  }

  #look({ directory, reserveBytes }: DiskWatch): void {
    const statistics = statisticsOf(directory);
    // What was found last still holds.
    if (statistics === undefined) return;
    this.#bytesSinceLook = 0;
    const { bavail, blocks, bsize } = statistics;
    this.#store(FREE, bavail * bsize);
    this.#store(RESERVE, Math.min(reserveBytes, blocks * bsize * RESERVE_SHARE));
    const { free, reserve } = this.figures;
    if (this.#read(REFUSED) === 1 && free >= reserve && takesBytes(directory)) this.#store(REFUSED, 0);
  }
}

export type DiskWatch = {
  readonly directory: string;
  readonly reserveBytes: number;
  readonly clock: Clock;
  /** Called when the disk has become full, also at the first check, and when it has room again. */
  readonly onChange: (figures: DiskFigures) => void;
};

/** Whether a disk is full, by what a failed write says: an error of Node.js, or one of LMDB or SQLite with a number. */
export function isDiskFullError(error: unknown): boolean {
  return causesOf(error).some(
    (each) => ('code' in each && FULL_CODES.has(each.code)) || ('errcode' in each && SQLITE_FULL_CODES.has(each.errcode)),
  );
}

/** Whether a write failed for a reason that the system does not name: LMDB says no more where the disk took a write in part. */
export function isIoError(error: unknown): boolean {
  return causesOf(error).some((each) => 'code' in each && (each.code === 'EIO' || each.code === EIO));
}

/** Whether the process or the system has no file descriptor left. */
export function isDescriptorError(error: unknown): boolean {
  return causesOf(error).some((each) => 'code' in each && DESCRIPTOR_CODES.has(each.code));
}

/** By the names that Node.js gives, and the numbers that LMDB passes on: 28 is ENOSPC, 122 EDQUOT on Linux. */
const FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 28, 122]);
/** 23 is ENFILE, 24 EMFILE. */
const DESCRIPTOR_CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 23, 24]);
const EIO = 5;
/** SQLITE_FULL and SQLITE_IOERR_SHMSIZE, https://www.sqlite.org/rescode.html */
const SQLITE_FULL_CODES: ReadonlySet<unknown> = new Set([13, 4874]);

function causesOf(error: unknown): readonly Error[] {
  const found: Error[] = [];
  for (let each = error; each instanceof Error && !found.includes(each); each = each.cause) found.push(each);
  return found;
}

function statisticsOf(directory: string): StatsFs | undefined {
  try {
    return statfsSync(directory);
  } catch {
    return undefined;
  }
}

function takesBytes(directory: string): boolean {
  const path = join(directory, PROBE_FILE);
  try {
    const file = openSync(path, 'w', 0o600);
    try {
      if (writeSync(file, Buffer.alloc(PROBE_BYTES)) < PROBE_BYTES) return false;
      fsyncSync(file);
      return true;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  } finally {
    rmSync(path, { force: true });
  }
}

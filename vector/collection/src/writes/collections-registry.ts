// SPDX-License-Identifier: Apache-2.0
/** Which collections there are: one document each in the system storage, written before and after what it speaks of. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemChange, SystemStorage } from '@sextant/vector-storage';
import { syncDirectory } from '../graph/saved-graph.ts';
import { LOG_START, type LogMark, type Recovery } from '../model/write-operation.ts';
import type { UnfinishedRecovery } from './recoveries.ts';

/** `deleting` is written before anything of the collection is removed, so that a restart goes on with it. */
export type RegistryEntry = { readonly name: string; readonly directory: string; readonly state: 'live' | 'deleting' };

/** The collection of each alias. */
export type AliasTable = ReadonlyMap<string, string>;

const ALIASES = 'aliases';
const APPLIED = 'applied';
const PREFIX = 'collection/';
/** By collection: it is being made from a snapshot. */
const RECOVERY = 'recovery/';
const NEXT_DIRECTORY = 'next-collection-directory';
/** An import that a killed service has left behind ends by itself, and may write a file more before. */
const STRAY_RETRIES = { maxRetries: 20, retryDelay: 50 } as const;

export class CollectionsRegistry {
  readonly #system: SystemStorage;
  readonly #root: string;
  #nextDirectory: number;
  #applied: LogMark;
  /** As on disk, by collection: writes ask for them. */
  readonly #recoveries: Map<string, UnfinishedRecovery>;

  constructor({ system, dataDirectory }: { system: SystemStorage; dataDirectory: string }) {
    this.#system = system;
    this.#root = join(dataDirectory, 'collections');
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    syncDirectory(dataDirectory);
    // Only this class writes these documents.
    this.#applied = (system.get(APPLIED) as LogMark | undefined) ?? LOG_START;
    this.#nextDirectory = (system.get(NEXT_DIRECTORY) as number | undefined) ?? 1;
    const recoveries = system.list(RECOVERY).map(({ value }) => value as UnfinishedRecovery);
    this.#recoveries = new Map(recoveries.map((recovery) => [recovery.collection, recovery]));
  }

  entries(): readonly RegistryEntry[] {
    // Only this class writes documents under the prefix.
    return this.#system.list(PREFIX).map(({ value }) => value as RegistryEntry);
  }

  path(entry: RegistryEntry): string {
    return join(this.#root, entry.directory);
  }

  /**
   * Makes an empty directory under a number that no collection has had: a name may hold what file systems cannot. The number is on disk once the
   * entry is; of a creation that a crash ends before, the directory is a stray and its number free.
   */
  newEntry(name: string): RegistryEntry {
    const number = this.#nextDirectory;
    this.#nextDirectory = number + 1;
    const entry: RegistryEntry = { name, directory: String(number).padStart(6, '0'), state: 'live' };
    mkdirSync(this.path(entry), { mode: 0o700 });
    return entry;
  }

  /** What was written beside the storage, such as saved graphs, is on disk with its name; the storage itself sees to that. */
  syncFiles(entry: RegistryEntry): void {
    syncDirectory(this.path(entry));
    syncDirectory(this.#root);
  }

  /** The mark of the last operation of a log that changed which collections there are, or their aliases. */
  applied(): LogMark {
    return this.#applied;
  }

  /** From here on the collection exists, in the place of one of that name. */
  add(
    entry: RegistryEntry,
    { mark, recovery }: { readonly mark?: LogMark | undefined; readonly recovery?: Recovery | undefined } = {},
  ): void {
    const { name } = entry;
    const changes: SystemChange[] = [
      { kind: 'put', key: PREFIX + name, value: entry },
      { kind: 'put', key: NEXT_DIRECTORY, value: this.#nextDirectory },
    ];
    const unfinished = recovery && { ...recovery, collection: name };
    if (unfinished === undefined) changes.push({ kind: 'delete', key: RECOVERY + name });
    else changes.push({ kind: 'put', key: RECOVERY + name, value: unfinished });
    this.#write(changes, mark);
    if (unfinished === undefined) this.#recoveries.delete(name);
    else this.#recoveries.set(name, unfinished);
  }

  recoveries(): ReadonlyMap<string, UnfinishedRecovery> {
    return this.#recoveries;
  }

  endRecovery(collection: string, mark?: LogMark): void {
    this.#write([{ kind: 'delete', key: RECOVERY + collection }], mark);
    this.#recoveries.delete(collection);
  }

  adoptRecoveries(recoveries: readonly UnfinishedRecovery[]): void {
    this.#write(
      recoveries.map((recovery) => ({ kind: 'put', key: RECOVERY + recovery.collection, value: recovery })),
      undefined,
    );
    for (const recovery of recoveries) this.#recoveries.set(recovery.collection, recovery);
  }

  /** @param aliases those that are left, where the collection had some */
  markDeleting(entry: RegistryEntry, aliases: AliasTable | undefined, mark?: LogMark): void {
    const changes: SystemChange[] = [
      { kind: 'put', key: PREFIX + entry.name, value: { ...entry, state: 'deleting' } },
      { kind: 'delete', key: RECOVERY + entry.name },
    ];
    if (aliases !== undefined) changes.push({ kind: 'put', key: ALIASES, value: [...aliases] });
    this.#write(changes, mark);
    this.#recoveries.delete(entry.name);
  }

  aliases(): AliasTable {
    // Only this class writes the document.
    return new Map((this.#system.get(ALIASES) as [string, string][] | undefined) ?? []);
  }

  /** Documents of others in the same storage. */
  putOthers(changes: readonly SystemChange[], mark?: LogMark): void {
    this.#write(changes, mark);
  }

  putAliases(aliases: AliasTable, mark?: LogMark): void {
    this.#write([{ kind: 'put', key: ALIASES, value: [...aliases] }], mark);
  }

  /** Removes the files, then the entry. */
  remove(entry: RegistryEntry): void {
    this.removeFiles(entry);
    this.#system.delete(PREFIX + entry.name);
  }

  /** Of an entry that was never added, or whose place another has taken; what a crash leaves of them is a stray. */
  removeFiles(entry: RegistryEntry): void {
    rmSync(this.path(entry), { recursive: true, force: true });
  }

  /** Removes directories that no entry names: collections whose creation never ended. */
  removeStrays(): void {
    const known = new Set(this.entries().map(({ directory }) => directory));
    for (const directory of readdirSync(this.#root)) {
      if (!known.has(directory)) rmSync(join(this.#root, directory), { recursive: true, force: true, ...STRAY_RETRIES });
    }
  }

  /** The mark of an operation is on disk with what it changes, or neither is. */
  #write(changes: readonly SystemChange[], mark: LogMark | undefined): void {
    this.#system.write(mark === undefined ? changes : [...changes, { kind: 'put', key: APPLIED, value: mark }]);
    this.#applied = mark ?? this.#applied;
  }
}

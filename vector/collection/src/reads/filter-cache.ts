/** What one thread knows of the filters that a collection was asked last: one that comes again costs a map lookup, and the rows that changed since. */
import type { Filter } from '@sextant/contracts-vector';
import { stringifyJson } from '@sextant/foundation-std';
import type { ChangedRows } from '../model/changed-rows.ts';
import { KnownFilter } from './known-filter.ts';
import type { FilterScope } from './row-filter.ts';

const ENTRIES_MAX = 64;
/** Of all entries together, their texts among them: 64 bitmaps of a million rows. */
const BYTES_MAX = 8 * 1024 * 1024;
/** Of the groups of all entries, beside: means of a few filters and the numbers of their rows. */
const GROUP_BYTES_MAX = 16 * 1024 * 1024;
const KEY_LENGTH_MAX = 256 * 1024;

export class FilterCache {
  /** The one that was asked longest ago comes first. */
  readonly #entries = new Map<string, KnownFilter>();
  readonly #changes: ChangedRows;

  constructor(changes: ChangedRows) {
    this.#changes = changes;
  }

  /** The filter as of the snapshot that the storage has now. */
  known(scope: FilterScope, filter: Filter): KnownFilter {
    const key = stringifyJson(filter);
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry?.follow(this.#changes) === true) {
      this.#entries.set(key, entry);
      return entry;
    }
    const known = new KnownFilter(scope, filter, entry?.groups);
    if (key.length <= KEY_LENGTH_MAX) {
      this.#entries.set(key, known);
      this.#makeRoom();
    }
    return known;
  }

  /** To be called when groups were learned: those that were asked longest ago go, until all that stay take no more than they may. */
  boundGroups(): void {
    let bytes = 0;
    for (const { groups } of this.#entries.values()) bytes += groups.bytes;
    for (const { groups } of this.#entries.values()) {
      if (bytes <= GROUP_BYTES_MAX) return;
      bytes -= groups.bytes;
      groups.drop();
    }
  }

  /** Entries grow as they learn, so all are counted; the last one always stays. */
  #makeRoom(): void {
    let bytes = 0;
    for (const [text, entry] of this.#entries) bytes += text.length + entry.bytes;
    for (const [text, entry] of this.#entries) {
      if (this.#entries.size <= 1 || (this.#entries.size <= ENTRIES_MAX && bytes <= BYTES_MAX)) return;
      this.#entries.delete(text);
      entry.groups.drop();
      bytes -= text.length + entry.bytes;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
/** What one thread knows of the filters that a collection was asked last: one that comes again costs a map lookup, and the rows that changed since. */
import type { Filter } from '@sextant/contracts-vector';
import { stringifyJson } from '@sextant/foundation-std';
import type { ChangedRows } from '../../model/changed-rows.ts';
import { KnownFilter } from './known-filter.ts';
import type { FilterScope } from './row-filter.ts';

const ENTRIES_MAX = 64;
/** Of all entries together, their texts among them: 64 bitmaps of a million rows. */
const BYTES_MAX = 8 * 1024 * 1024;
/** Of the clusters of all entries, beside: centroids of a few filters and the numbers of their rows. */
const CLUSTER_BYTES_MAX = 16 * 1024 * 1024;
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
    const known = new KnownFilter(scope, filter, entry?.clusters);
    if (key.length <= KEY_LENGTH_MAX) {
      this.#entries.set(key, known);
      this.#makeRoom();
    }
    return known;
  }

  /** Called after a training: drops the clusters of the least recently used filters until the others fit. */
  boundClusters(): void {
    let bytes = 0;
    for (const { clusters } of this.#entries.values()) bytes += clusters.bytes;
    for (const { clusters } of this.#entries.values()) {
      if (bytes <= CLUSTER_BYTES_MAX) return;
      bytes -= clusters.bytes;
      clusters.drop();
    }
  }

  /** Entries grow as they learn, so all are counted; the last one always stays. */
  #makeRoom(): void {
    let bytes = 0;
    for (const [text, entry] of this.#entries) bytes += text.length + entry.bytes;
    for (const [text, entry] of this.#entries) {
      if (this.#entries.size <= 1 || (this.#entries.size <= ENTRIES_MAX && bytes <= BYTES_MAX)) return;
      this.#entries.delete(text);
      entry.clusters.drop();
      bytes -= text.length + entry.bytes;
    }
  }
}

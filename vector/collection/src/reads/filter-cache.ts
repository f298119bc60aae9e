/** The rows of recent filters: a filter that comes again before the next write costs one map lookup. */

import type { Filter } from '@sextant/contracts-vector';
import { stringifyJson } from '@sextant/foundation-std';
import type { RowSet } from '@sextant/vector-storage';

const ENTRIES_MAX = 16;
/** A filter with thousands of ids is not worth remembering. */
const KEY_LENGTH_MAX = 4096;

export class FilterCache {
  readonly #entries = new Map<string, RowSet>();
  #sequence = -1;

  get(filter: Filter, sequence: number): RowSet | undefined {
    if (sequence !== this.#sequence) return undefined;
    return this.#entries.get(stringifyJson(filter));
  }

  put(filter: Filter, sequence: number, rows: RowSet): void {
    if (sequence !== this.#sequence) {
      this.#entries.clear();
      this.#sequence = sequence;
    }
    const key = stringifyJson(filter);
    if (key.length > KEY_LENGTH_MAX) return;
    const oldest = this.#entries.keys().next();
    if (this.#entries.size >= ENTRIES_MAX && !oldest.done) this.#entries.delete(oldest.value);
    this.#entries.set(key, rows);
  }
}

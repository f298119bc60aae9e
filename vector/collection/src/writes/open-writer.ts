// SPDX-License-Identifier: Apache-2.0
/** The writer of a collection, whose events are heard as long as it is the one that has the collection's name. */
import type { CatalogEvent } from '../model/collection-handle.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { CollectionWriter } from './collection-writer.ts';
import type { CollectionWriterOptions } from './collection-writer-options.ts';

type OpenOptions = Pick<CatalogOptions, 'clock' | 'listener' | 'log' | 'rowsPerShard' | 'throttle' | 'moves'> &
  Pick<CollectionWriterOptions, 'name' | 'directory' | 'storage' | 'budget' | 'isEnding'> & {
    readonly isCurrent: (writer: CollectionWriter) => boolean;
  };

export function openWriter({ listener, isCurrent, throttle = () => undefined, ...options }: OpenOptions): CollectionWriter {
  /** A collection that is deleted or replaced announces nothing any more. */
  const announce = async (event: CatalogEvent) => {
    if (isCurrent(writer)) await listener.event(event);
  };
  const writer: CollectionWriter = new CollectionWriter({
    ...options,
    throttle,
    isServed: () => isCurrent(writer),
    events: {
      changed: (handle) => announce({ kind: 'changed', handle }),
      grown: (handle) => announce({ kind: 'grown', handle }),
      replaced: (handle) => announce({ kind: 'replaced', handle }),
      withdrawing: (handle) => announce({ kind: 'withdrawing', handle }),
      written: listener.written,
    },
  });
  return writer;
}

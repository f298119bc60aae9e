// SPDX-License-Identifier: Apache-2.0
/**
 * The start. Every collection is opened, but for small ones that are as the last run has closed them: these are opened when they are asked for. So what a
 * crash left is recovered, and work that was not done goes on, whoever asks. One that cannot be opened is reported and stays behind, the others are served.
 */
import type { ClosedCollection } from '../model/closed-collection.ts';
import type { CatalogParts } from './catalog-entry.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { readClosedFile } from './closed-file.ts';
import type { RegistryEntry } from './collections-registry.ts';
import type { OpenCollections } from './open-collections.ts';

/** What takes long to load is loaded now, as far as there is room, and not while somebody waits for it. */
const LOADED_BYTES_MIN = 32 * 1024 * 1024;
/** Collections that are announced to the other threads at once. */
const ANNOUNCED_AT_ONCE = 256;

type LoadOptions = Pick<CatalogParts, 'entries' | 'registry'> &
  Pick<CatalogOptions, 'listener' | 'releasing'> & { readonly open: OpenCollections };

export async function loadCollections(options: LoadOptions): Promise<void> {
  const { entries, listener, open, registry } = options;
  const all = registry.entries();
  const announce = async (collections: readonly ClosedCollection[]) => {
    if (collections.length > 0) await listener.event({ kind: 'released', collections });
  };
  const unannounced: ClosedCollection[] = [];
  for (const [index, registered] of all.entries()) {
    if (registered.state === 'deleting') {
      registry.remove(registered);
      continue;
    }
    const collection = knownClosed(registered, options);
    if (collection === undefined) {
      await open.load(registered, `${index + 1} of ${all.length}`);
      continue;
    }
    entries.set(registered.name, { kind: 'closed', registered, collection });
    unannounced.push(collection);
    if (unannounced.length === ANNOUNCED_AT_ONCE) await announce(unannounced.splice(0));
  }
  await announce(unannounced);
}

/** What is known of a collection that need not be opened now. */
function knownClosed(registered: RegistryEntry, { open, registry, releasing }: LoadOptions): ClosedCollection | undefined {
  if (releasing === undefined) return undefined;
  const known = readClosedFile(registry.path(registered), registered.name);
  if (known === undefined || known.memoryBytes < LOADED_BYTES_MIN) return known;
  return open.hasPlace(known.memoryBytes) ? undefined : known;
}

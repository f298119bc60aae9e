// SPDX-License-Identifier: Apache-2.0
/** What the entries of a simulated log come to, one after the other, each batch as often as it is there. */
import { ServiceError } from '@sextant/contracts-vector';
import { type CatalogOperation, comingShards, isCatalogOperation, placedShards, type ShardedDefinition } from '@sextant/vector-collection';
import { decodeBatch } from '../batch.ts';
import { decodeOperation } from '../operation-codec.ts';
import { type Definitions, definitionAfter, isOf, shardsAbout } from './simulated-definitions.ts';
import { change, type SimulatedPart } from './simulated-node.ts';

/** The parts of one collection, and its definition, at the end. */
export function replayed(
  collection: string,
  entries: readonly { readonly entry: Uint8Array }[],
): { readonly parts: Map<string, SimulatedPart>; readonly definition: ShardedDefinition; readonly divisions: number } {
  let divisions = 0;
  const parts = new Map<string, SimulatedPart>();
  const definitions: Definitions = new Map();
  for (const { entry } of entries) {
    for (const bytes of decodeBatch(entry).operations) {
      const operation = decodeOperation(bytes);
      if (isCatalogOperation(operation)) {
        redefine(operation);
        continue;
      }
      for (const name of [collection, ...shardsAbout(collection, definitions.get(collection) ?? {}, operation)]) {
        const part = parts.get(name);
        // What comes before the collection is refused.
        if (part !== undefined) change(part, operation, (id) => isOf(id, name, definitions));
      }
    }
  }
  return { parts, definition: definitions.get(collection) ?? {}, divisions };

  function redefine(operation: CatalogOperation): void {
    const definition = attempt(() => definitionAfter(definitions, operation));
    if (definition === undefined) return;
    if (operation.kind === 'note_resharded' && definition.resharding === undefined) divide(definitions.get(collection) ?? {});
    definitions.set(collection, definition);
    const names = [collection, ...placedShards(collection, definition).map(({ name }) => name)];
    const sequence = parts.get(collection)?.sequence ?? 0;
    for (const name of names) if (!parts.has(name)) parts.set(name, { points: new Map(), sequence, applied: { position: 0, index: 0 } });
    for (const name of parts.keys()) if (!names.includes(name)) parts.delete(name);
  }

  /** The new shards begin with what falls to them of the points of those that they take the place of. */
  function divide(before: ShardedDefinition): void {
    divisions += 1;
    for (const { name, parent } of comingShards(collection, before)) {
      const { points, sequence, applied } = parts.get(parent.name) ?? {
        points: new Map(),
        sequence: 0,
        applied: { position: 0, index: 0 },
      };
      const own = [...points].filter(([id]) => isOf(id, name, definitions));
      parts.set(name, { points: new Map(own), sequence, applied });
    }
  }
}

/** Undefined where it is refused. */
function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return undefined;
  }
}

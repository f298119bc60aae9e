// SPDX-License-Identifier: Apache-2.0
/** What a request demands of the collection that it names. */
import type { Demand } from '@sextant/vector-collection';
import type { Input } from '../operation.ts';
import { readDemands } from './read-demands.ts';
import { writeDemands } from './write-demands.ts';

type MakeDemand = (input: Input<never>) => Demand;

// Each is given the input of its own operation.
const demands: ReadonlyMap<string, MakeDemand> = new Map(Object.entries({ ...readDemands, ...writeDemands }));

/** Undefined for operations that a strict mode has no say in; the demand itself is made only where there is one. */
export function demandOf(operation: string, input: Input<never>): { readonly collection: string; readonly make: () => Demand } | undefined {
  const make = demands.get(operation);
  // The path of each of them names a collection.
  const { collection_name: collection } = input.params as { readonly collection_name?: string };
  if (make === undefined || collection === undefined) return undefined;
  const { timeout } = input.query;
  return { collection, make: () => ({ ...make(input), ...(timeout === undefined ? {} : { timeout: Number(timeout) }) }) };
}

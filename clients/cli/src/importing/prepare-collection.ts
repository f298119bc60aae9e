// SPDX-License-Identifier: Apache-2.0
/** Sees to it that there is a collection for an import, and that a first point of the file has the vectors that it asks for. */
import type { CreateCollection, VectorClient, VectorParams } from '@sextant/sdk';
import { CommandFailure } from '../failure.ts';
import { type ColumnMapping, pointOfRow, RowFault } from '../points/column-mapping.ts';
import { isVector, type NamedVectors, type VectorValue } from '../points/vector-value.ts';
import { openBeside } from '../rows/open-rows.ts';
import { STANDARD_INPUT } from '../rows/text-bytes.ts';
import type { ImportRequest } from './run-import.ts';

type Wanted = Pick<ImportRequest, 'collection' | 'file' | 'beside' | 'reading' | 'creation'>;

export async function prepareCollection(client: VectorClient, request: Wanted, mapping: ColumnMapping, signal: AbortSignal): Promise<void> {
  const { collection, creation, file } = request;
  if (await client.collectionExists(collection, { signal })) return;
  if (creation === undefined) {
    throw new CommandFailure('not_found', `there is no collection ${collection}`, {
      advice:
        'Pass --create to create it with vectors of the length of the first row, or use `sextant collections create` for more options.',
    });
  }
  if (file === STANDARD_INPUT) {
    throw new CommandFailure('usage', '--create has to read the first row, and standard input can be read only once', {
      advice: `Create it first: \`sextant collections create ${collection} --size …\`.`,
    });
  }
  const vector = await firstVector(request, mapping);
  const vectors = isVector(vector) ? paramsOf(vector, creation.distance) : namedParams(vector, creation.distance);
  // The service validates the rest of the configuration.
  const config = { ...creation.config, vectors } as CreateCollection & { readonly vectors: typeof vectors };
  await client.createCollection(collection, config, { signal });
}

/** Of the first row that gives a point. */
async function firstVector({ file, beside, reading }: Wanted, mapping: ColumnMapping): Promise<VectorValue | NamedVectors> {
  await using source = await openBeside(file, beside, reading);
  let reason = 'it has no rows';
  for await (const read of source.rows(0)) {
    if (read.kind === 'row') {
      try {
        return pointOfRow(read.row, 0, mapping).vector;
      } catch (error) {
        if (!(error instanceof RowFault)) throw error;
        reason = `row 1 ${error.message}`;
      }
    } else reason = `row 1 ${read.reason}`;
    break;
  }
  throw new CommandFailure('bad_data', `${file} does not show how many components vectors have: ${reason}`);
}

function namedParams(vectors: NamedVectors, distance: VectorParams['distance']): { readonly [name: string]: VectorParams } {
  return Object.fromEntries(Object.entries(vectors).map(([name, vector]) => [name, paramsOf(vector, distance)]));
}

function paramsOf(vector: VectorValue, distance: VectorParams['distance']): VectorParams {
  const [first] = Array.isArray(vector) ? vector : [];
  if (Array.isArray(vector) && typeof first === 'number') return { size: vector.length, distance };
  throw new CommandFailure('usage', '--create supports only dense vectors', {
    advice: 'Create a collection with sparse or several vectors a point by `sextant collections create`, then import without --create.',
  });
}

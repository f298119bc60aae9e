// SPDX-License-Identifier: Apache-2.0
/** What scans find inside the data, for pictures: a table with some slips of the pen, and a watched collection of which some vectors are wrong. */
import { readDataSet } from '../../observability/demo/data-sets.ts';
import type { ObservabilityApi } from '../../observability/observability-api.ts';
import { createAsset, scan, uploadAsset } from '../../observability/scanning.ts';
import { vectorApi } from '../../vector-api.ts';
import type { ConsoleFixture } from '../console-fixture.ts';
import { MNIST } from '../fixture/mnist-collection.ts';
import { dataSetOf } from '../fixture/supplier.ts';

export type FoundFaults = {
  readonly searchedId: string /** The asset of the watched collection. */;
  readonly watchedId: string;
  readonly jobId: string;
};

/** Texts of the table of airports, and what somebody could have typed instead. */
const SLIPS: readonly (readonly [right: string, wrong: string])[] = [
  ['Houston,TX', 'Housten,TX'],
  ['Anchorage,AK', 'Anchorage,AL'],
  ['Chicago,IL', 'Chicago,N/A'],
  ['Atlanta,GA,USA', 'Atlanta,GA,U.S.A.'],
];
const USUAL_SCANS = 3;
/** Of the first points. */
const ZEROS = 12;

export async function foundFaults({ api, vector }: Pick<ConsoleFixture, 'api' | 'vector'>): Promise<FoundFaults> {
  const searchedId = await searchedTable(api);
  const collection = vectorApi(vector.client).collection(MNIST);
  const connection = { name: 'vectors', type: 'VECTOR_COLLECTION', payload: { url: vector.address } } as const;
  const { id } = await api.call('create_connection', {}, { body: connection });
  const watched = { name: 'digits', type: 'VECTOR_COLLECTION', connection_id: id, payload: { collection: MNIST } } as const;
  const { id: watchedId } = await createAsset(api, watched);
  for (let number = 0; number < USUAL_SCANS; number += 1) await scan(api, watchedId);
  const dimension = 784;
  await collection.upsert(
    Array.from({ length: ZEROS }, (_, point) => ({
      id: point,
      vector: Array.from({ length: dimension }, () => 0),
      payload: { digit: 'zero', ink: 0 },
    })),
  );
  const { id: jobId } = await scan(api, watchedId);
  return { searchedId, watchedId, jobId };
}

async function searchedTable(api: ObservabilityApi): Promise<string> {
  const right = (await readDataSet(dataSetOf('airports'))).toString();
  const wrong = SLIPS.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the table of airports has no ${from}`);
    return text.replace(from, to);
  }, right);
  const file = {
    file: 'airports.csv',
    bytes: Buffer.from(wrong),
    name: 'airports with slips',
    options: { find_wrong_cells: 'true' },
  } as const;
  const { id } = await uploadAsset(api, file);
  await scan(api, id);
  return id;
}

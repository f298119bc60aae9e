// SPDX-License-Identifier: Apache-2.0
/** The rows of a file as points, faults and all. */
import type { VectorPoint } from '@sextant/observability-scan/vectors';
import { CommandFailure } from '../failure.ts';
import { type ColumnMapping, pointOfRow, RowFault } from '../points/column-mapping.ts';
import { formatOfName, type OpenOptions, openRows } from '../rows/open-rows.ts';
import type { ReadRow } from '../rows/row-source.ts';
import { type CheckedPoints, denseVectors } from './checked-points.ts';

export type FileReading = {
  readonly path: string;
  readonly reading: OpenOptions;
  readonly mapping: Pick<ColumnMapping, 'id' | 'vectors' | 'payload'>;
};

const PAGE_POINTS = 500;
/** Of the first points, the length that most vectors of a name have is that of all. */
const SIZING_POINTS = 1000;
const NAMED_FAULTS_MAX = 3;

/** @throws CommandFailure for a file that cannot be read, or whose first rows have no dense vector */
export async function openFilePoints({ path, reading, mapping }: FileReading): Promise<CheckedPoints> {
  const cellsAreText = (reading.format ?? formatOfName(path)) === 'csv';
  const source = await openRows(path, reading);
  const notDense = new Set<string>();
  const faults = { count: 0, first: [] as string[] };
  const whole: ColumnMapping = { ...mapping, text: [], cellsAreText, firstId: 0, keepsFaults: true };
  const pointAt = (read: ReadRow, index: number): VectorPoint | undefined => {
    const point = read.kind === 'fault' ? read.reason : checkedPoint(read, index, whole, notDense);
    if (typeof point !== 'string') return point;
    faults.count += 1;
    if (faults.first.length < NAMED_FAULTS_MAX) faults.first.push(`row ${index + 1} ${point}`);
    return undefined;
  };
  const rest = pages(source.rows(0), pointAt);
  try {
    const first = await firstPages(rest);
    const dimensions = usualLengths(first.flat());
    if (Object.keys(dimensions).length === 0) {
      const [fault] = faults.first;
      throw new CommandFailure('bad_data', `${path} has no dense vectors${fault === undefined ? '' : `: ${fault}`}`, {
        advice: 'Pass --vector with the column that holds them, or with a pattern such as pixel*.',
      });
    }
    return {
      access: {
        info: async () => ({ points: source.rowCount ?? 0, indexed: undefined, dimensions }),
        points: async function* () {
          yield* first;
          yield* rest;
        },
      },
      notDense: () => notDense,
      unreadable: () => faults,
      [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
    };
  } catch (error) {
    await source[Symbol.asyncDispose]();
    throw error;
  }
}

/** The point, or why there is none. */
function checkedPoint(
  { row }: Extract<ReadRow, { kind: 'row' }>,
  index: number,
  mapping: ColumnMapping,
  notDense: Set<string>,
): VectorPoint | string {
  try {
    const { id, vector, payload } = pointOfRow(row, index, mapping);
    return { id: String(id), payload, vectors: denseVectors(vector, notDense) };
  } catch (error) {
    if (error instanceof RowFault) return error.message;
    throw error;
  }
}

async function* pages(
  rows: AsyncIterable<ReadRow>,
  pointAt: (read: ReadRow, index: number) => VectorPoint | undefined,
): AsyncGenerator<readonly VectorPoint[], undefined> {
  let page: VectorPoint[] = [];
  let index = 0;
  for await (const read of rows) {
    const point = pointAt(read, index);
    index += 1;
    if (point !== undefined) page.push(point);
    if (page.length < PAGE_POINTS) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function firstPages(rest: AsyncGenerator<readonly VectorPoint[], undefined>): Promise<readonly (readonly VectorPoint[])[]> {
  const first: (readonly VectorPoint[])[] = [];
  while (first.length * PAGE_POINTS < SIZING_POINTS) {
    const { done, value } = await rest.next();
    if (done === true || value === undefined) break;
    first.push(value);
  }
  return first;
}

function usualLengths(points: readonly VectorPoint[]): { readonly [vector: string]: number } {
  const counts = new Map<string, Map<number, number>>();
  for (const { vectors } of points) {
    for (const [name, { length }] of Object.entries(vectors)) {
      const ofName = counts.get(name) ?? new Map<number, number>();
      counts.set(name, ofName.set(length, (ofName.get(length) ?? 0) + 1));
    }
  }
  return Object.fromEntries(
    [...counts].map(([name, lengths]) => [name, [...lengths].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0]]),
  );
}

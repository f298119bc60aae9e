// SPDX-License-Identifier: Apache-2.0
/**
 * Rows become points, points become batches, batches are sent: as many at a time as asked for, and acknowledged in order, so that "the first n rows
 * are in" is all that a state has to say. In memory are the batches that are on their way and the one that fills.
 */
import { stringifyJson } from '@sextant/foundation-std';
import { CommandFailure } from '../failure.ts';
import { type ColumnMapping, type NewPoint, pointOfRow, RowFault } from '../points/column-mapping.ts';
import type { ReadRow } from '../rows/row-source.ts';
import { type NumberedPoint, type RefusedRow, type Sending, sendAccepted } from './refused-rows.ts';

export type ImportOptions = {
  readonly mapping: ColumnMapping;
  /** Rows that are in already. */
  readonly from: number;
  readonly batchRows: number;
  readonly batchBytes: number;
  readonly batchesInFlight: number;
  /** What becomes of a row that gives no point, or one that the service refuses. */
  readonly onFault: 'stop' | 'skip';
  /** No further row is read once it is aborted; what is on its way is waited for. */
  readonly signal: AbortSignal;
};

export type ImportEvents = Pick<Sending, 'send' | 'refusal'> & {
  /** The first `rows` rows are in or left out. Awaited. */
  readonly acknowledged: (rows: number, sent: number) => Promise<void>;
  readonly leftOut: (row: number, reason: string) => void;
};

export type ImportFigures = { readonly rows: number; readonly sent: number; readonly leftOut: number };

type Flight = { readonly lastRow: number; readonly points: number; readonly landed: Promise<Error | readonly RefusedRow[]> };

export async function importRows(rows: AsyncIterable<ReadRow>, options: ImportOptions, events: ImportEvents): Promise<ImportFigures> {
  const { mapping, from, batchRows, batchBytes, batchesInFlight, signal } = options;
  const flights: Flight[] = [];
  let row = from;
  let sent = 0;
  let leftOut = 0;
  let batch: NumberedPoint[] = [];
  let bytes = 0;

  const land = async () => {
    const flight = flights.shift();
    if (flight === undefined) return;
    const refused = await flight.landed;
    const [first] = refused instanceof Error ? [] : refused;
    if (refused instanceof Error || (first !== undefined && options.onFault === 'stop')) {
      // Whether later batches arrive or not, not all rows of this one did: nothing after them counts.
      await Promise.all(flights.splice(0).map(({ landed }) => landed));
      if (refused instanceof Error) throw refused;
      if (first === undefined) return;
      await events.acknowledged(first.row, 0);
      throw faultAt(first.row, refusedAs(first));
    }
    for (const each of refused) events.leftOut(each.row + 1, refusedAs(each));
    leftOut += refused.length;
    sent += flight.points - refused.length;
    await events.acknowledged(flight.lastRow, flight.points - refused.length);
  };
  const launch = async () => {
    if (batch.length === 0) return;
    while (flights.length >= batchesInFlight) await land();
    // A refusal waits for its turn to be thrown; unhandled it would end the process.
    const landed = sendAccepted(batch, { ...events, firstOnly: options.onFault === 'stop' }).catch((error: unknown) =>
      error instanceof Error ? error : new Error('a batch was not sent', { cause: error }),
    );
    flights.push({ lastRow: row, points: batch.length, landed });
    batch = [];
    bytes = 0;
  };
  const landAll = async () => {
    while (flights.length > 0) await land();
  };

  try {
    for await (const read of rows) {
      if (signal.aborted) break;
      const point = toPoint(read, row, mapping);
      if (typeof point === 'string') {
        if (options.onFault === 'stop') {
          // What stands before the row is sent first, and may be refused, which is then what ends the import.
          await launch();
          await landAll();
          throw faultAt(row, point);
        }
        leftOut += 1;
        events.leftOut(row + 1, point);
      } else {
        batch.push({ row, point });
        bytes += roughBytes(point);
      }
      row += 1;
      if (batch.length >= batchRows || bytes >= batchBytes) await launch();
    }
    if (!signal.aborted) await launch();
    await landAll();
    if (!signal.aborted) await events.acknowledged(row, 0);
  } catch (error) {
    // What was on its way counts, if it arrives.
    await landAll().catch(() => undefined);
    throw error;
  }
  return { rows: row - from, sent, leftOut };
}

function refusedAs({ point, reason }: RefusedRow): string {
  // A request of one point calls it the first.
  return `is refused as point ${point.id}: ${reason.replace(/^points\[0\](?:\.|: )/, '')}`;
}

/** The point, or why there is none. */
function toPoint(read: ReadRow, index: number, mapping: ColumnMapping): NewPoint | string {
  if (read.kind === 'fault') return read.reason;
  try {
    return pointOfRow(read.row, index, mapping);
  } catch (error) {
    if (error instanceof RowFault) return error.message;
    throw error;
  }
}

function faultAt(index: number, reason: string): CommandFailure {
  return new CommandFailure('bad_data', `row ${index + 1} ${reason}`, {
    advice: 'Correct the file, or pass --on-error skip to skip such rows.',
  });
}

/** About the bytes of its JSON: components by their usual length, which saves writing each point twice. */
function roughBytes({ vector, payload }: NewPoint): number {
  const BYTES_PER_COMPONENT = 12;
  const components =
    Array.isArray(vector) && typeof vector[0] === 'number' ? vector.length * BYTES_PER_COMPONENT : stringifyJson(vector).length;
  return 64 + components + stringifyJson(payload).length;
}

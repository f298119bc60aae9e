// SPDX-License-Identifier: Apache-2.0
/**
 * Finds the rows at fault in a batch that the service refuses as a whole: halves are sent until what is refused is one row. A batch of n rows takes 2n - 1
 * requests at most, where every row is at fault.
 */
import type { NewPoint } from '../points/column-mapping.ts';

/** A row's number, from 0 on, and its point. */
export type NumberedPoint = { readonly row: number; readonly point: NewPoint };

export type RefusedRow = NumberedPoint & { readonly reason: string };

export type Sending = {
  /** Sends points; all of them are in when this resolves, and none of them where it throws a refusal. */
  readonly send: (points: readonly NewPoint[]) => Promise<void>;
  /** Why the service refuses points as they are; undefined for every other failure. */
  readonly refusal: (error: unknown) => string | undefined;
  /** Whether only the first row at fault is looked for. The rows before it are in then, and those after it may not be. */
  readonly firstOnly: boolean;
};

/** Sends what can be sent and returns the rest, in the order of the rows. Throws failures that are no fault of a row. */
export async function sendAccepted(batch: readonly NumberedPoint[], sending: Sending): Promise<readonly RefusedRow[]> {
  try {
    await sending.send(batch.map(({ point }) => point));
    return [];
  } catch (error) {
    const reason = sending.refusal(error);
    const [only, second] = batch;
    if (reason === undefined || only === undefined) throw error;
    if (second === undefined) return [{ ...only, reason }];
  }
  const middle = Math.ceil(batch.length / 2);
  const first = await sendAccepted(batch.slice(0, middle), sending);
  if (sending.firstOnly && first.length > 0) return first;
  return [...first, ...(await sendAccepted(batch.slice(middle), sending))];
}

// SPDX-License-Identifier: Apache-2.0
/**
 * An entry of the log: operations of one node that were appended together.
 *
 *   format u8 = 1 | id of the batch, 16 bytes | for each operation: its length u32 and its bytes
 */

const FORMAT = 1;
const ID_OFFSET = 1;
const ID_BYTES = 16;
const LENGTH_BYTES = 4;

export type Batch = { readonly id: string; readonly operations: readonly Uint8Array[] };

/** What an operation takes in an entry. */
export function bytesInBatch(operation: Uint8Array): number {
  return LENGTH_BYTES + operation.length;
}

/** What an entry takes without operations. */
export const BATCH_BYTES = ID_OFFSET + ID_BYTES;

/** @param batch.id a UUID */
export function encodeBatch({ id, operations }: Batch): Uint8Array {
  const bytes = Buffer.alloc(operations.reduce((sum, operation) => sum + bytesInBatch(operation), BATCH_BYTES));
  bytes[0] = FORMAT;
  bytes.write(id.replaceAll('-', ''), ID_OFFSET, 'hex');
  let offset = BATCH_BYTES;
  for (const operation of operations) {
    offset = bytes.writeUInt32LE(operation.length, offset);
    bytes.set(operation, offset);
    offset += operation.length;
  }
  return bytes;
}

export function decodeBatch(entry: Uint8Array): Batch {
  const bytes = Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength);
  if (bytes[0] !== FORMAT) throw new UnknownFormatError(`an entry of format ${bytes[0]}`);
  const hex = bytes.toString('hex', ID_OFFSET, BATCH_BYTES);
  const operations: Uint8Array[] = [];
  for (let offset = BATCH_BYTES; offset < bytes.length; ) {
    const start = offset + LENGTH_BYTES;
    offset = start + bytes.readUInt32LE(offset);
    operations.push(bytes.subarray(start, offset));
  }
  return { id: hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'), operations };
}

/** A newer release writes to the same log; to pass over what it wrote would be to lose it. */
export class UnknownFormatError extends Error {
  override readonly name = 'UnknownFormatError';

  constructor(what: string) {
    super(`the log of the cluster has ${what}, which this release does not know; run the same release on every node`);
  }
}

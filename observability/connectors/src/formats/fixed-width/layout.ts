// SPDX-License-Identifier: Apache-2.0
/** How the rows of a file of fixed width lie in it. */
import type { FileHandle } from 'node:fs/promises';
import type { ComponentType } from './component-type.ts';

export type Layout = {
  readonly headerBytes: number;
  /** Bytes at the beginning of each row that are no components. */
  readonly rowHeadBytes: number;
  readonly rowCount: number;
  readonly type: ComponentType;
  readonly littleEndian: boolean;
  /** Components of a row; undefined for rows that are one number. */
  readonly dimension: number | undefined;
};

/** Why a file is not what its format says. */
export class LayoutError extends Error {
  override readonly name = 'LayoutError';
}

/** Exactly `length` bytes. */
export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new LayoutError(`it ends at byte ${position + bytesRead}, in the middle of its data`);
  return buffer;
}

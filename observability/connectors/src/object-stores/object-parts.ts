// SPDX-License-Identifier: Apache-2.0
/** A file as a row of objects, `<folder>000000` and so on, so that every store takes files of any size and memory holds a piece. */
import type { BoundStore } from './bound-store.ts';
import type { StoredObject } from './object-store.ts';

export function partKey(folder: string, part: number): string {
  return folder + String(part).padStart(6, '0');
}

/** All of the same size but the last; an empty file is one empty part. */
export async function* inParts(chunks: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    let rest = chunk;
    while (bytes + rest.byteLength >= partBytes) {
      const end = partBytes - bytes;
      yield Buffer.concat([...held, rest.subarray(0, end)]);
      isFirst = false;
      rest = rest.subarray(end);
      held = [];
      bytes = 0;
    }
    held.push(rest);
    bytes += rest.byteLength;
  }
  if (bytes > 0 || isFirst) yield Buffer.concat(held);
}

/** The content of a file, whose parts may come in any order. */
export async function* readParts(store: BoundStore, parts: readonly StoredObject[], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (const part of inOrder(parts)) yield* store.read(part, undefined, signal);
}

export function inOrder(parts: readonly StoredObject[]): readonly StoredObject[] {
  return parts.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

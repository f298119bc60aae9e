// SPDX-License-Identifier: Apache-2.0
/** Excel workbooks (Office Open XML): read on a thread of their own, since a large one takes seconds and a hostile one all memory. */
import { SourceError } from '../connector.ts';
import type { ByteSource } from './byte-source.ts';
import { askThread } from './format-thread.ts';
import type { SheetAnswer, SheetRequest } from './workbook-thread.ts';
import { zipEntries } from './zip-directory.ts';

/** They are read as a whole. */
const BYTES_MAX = 64 * 2 ** 20;
/** A part that is longer than half of it is longer than a text of V8 may be. */
const UNPACKED_BYTES_MAX = 256 * 2 ** 20;

export type Sheet = Extract<SheetAnswer, { readonly kind: 'read' }>;

/**
 * Whether a file is an archive that lists the parts of a workbook.
 *
 * @throws SourceError where it is a workbook beyond the limits
 */
export async function isWorkbook(source: ByteSource, head: Uint8Array): Promise<boolean> {
  const entries = await zipEntries(source, head);
  if (entries?.some(({ name }) => name === 'xl/workbook.xml') !== true) return false;
  const unpacked = entries.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0);
  for (const [bytes, bytesMax, what] of [
    [source.bytes, BYTES_MAX, 'is'],
    [unpacked, UNPACKED_BYTES_MAX, 'unpacks to'],
  ] as const)
    if (bytes > bytesMax)
      throw refused(`${source.name} ${what} ${bytes} bytes; the limit of workbooks is ${bytesMax}: save it as CSV or Parquet`);
  return true;
}

export async function describeSheet(source: ByteSource, sheet: string | undefined): Promise<Sheet> {
  const bytes = await source.slice(0, source.bytes);
  return ask(source, { path: bytes, sheet, target: undefined, bytesMax: BYTES_MAX });
}

export type Writing = { readonly target: string; readonly bytesMax: number; readonly signal: AbortSignal };

/** Writes the sheet as delimited text. */
export async function writeSheet(
  source: ByteSource & { readonly path: string },
  sheet: string | undefined,
  { target, bytesMax, signal }: Writing,
): Promise<void> {
  await ask(source, { path: source.path, sheet, target, bytesMax }, signal);
}

const THREAD = new URL('./workbook-thread.ts', import.meta.url);

async function ask({ name, folder }: ByteSource, request: SheetRequest, signal?: AbortSignal): Promise<Sheet> {
  const thread = {
    module: THREAD,
    request,
    folder,
    name,
    formats: 'workbooks',
    instead: 'save it as CSV or Parquet',
    ...(signal && { signal }),
  };
  return sheetOf(name, await askThread<SheetRequest, SheetAnswer>(thread), request);
}

function sheetOf(name: string, answer: SheetAnswer, { sheet = '', bytesMax }: SheetRequest): Sheet {
  switch (answer.kind) {
    case 'read':
      return answer;
    case 'missing': {
      const sheets = answer.sheets.map((one) => JSON.stringify(one)).join(', ');
      throw new SourceError(`options.reading.sheet: ${name} has no sheet ${JSON.stringify(sheet)}; it has ${sheets}`, {
        member: 'options.reading.sheet',
      });
    }
    case 'too large':
      throw refused(`The text of ${name} is larger than the limit of ${bytesMax} bytes`);
    case 'damaged':
      throw refused(`${name} is not a readable workbook: it is damaged, truncated or encrypted`);
  }
}

function refused(reason: string): SourceError {
  return new SourceError(reason, { member: 'payload.path' });
}

// SPDX-License-Identifier: Apache-2.0
/** Scans of small files that a test writes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reading } from '@sextant/contracts-observability';
import { systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import type { OpenedSource } from '@sextant/observability-connectors';
import { profileRequest } from '../scan.conformance.ts';
import type { ScanProgress, ScanRequest, ScanResult } from '../scan.ts';
import { scanOnThread } from './engine-on-thread.ts';
import { writeParquet } from './parquet-writer.ts';
import { fileSource } from './table-files.ts';
import { testLimits } from './test-limits.ts';

/** So few that several threads read also what is small. */
const ROWS_OF_GROUP = 4096;

export type ScannedFiles = AsyncDisposable & {
  readonly csv: (text: string, reading?: Reading) => Promise<OpenedSource>;
  readonly json: (text: string, reading?: Reading) => Promise<OpenedSource>;
  readonly ndjson: (text: string, reading?: Reading) => Promise<OpenedSource>;
  readonly parquet: (select: string) => Promise<OpenedSource>;
  readonly scan: (
    source: OpenedSource,
    names: readonly string[],
    changes?: Partial<ScanRequest>,
    progress?: ScanProgress[],
  ) => Promise<ScanResult>;
};

export async function scannedFiles(): Promise<ScannedFiles> {
  const directory = await temporaryDirectory();
  let files = 0;
  const writer =
    (fileType: string) =>
    async (text: string, reading: Reading = {}) => {
      const path = join(directory.path, `file-${files++}`);
      await writeFile(path, text);
      return fileSource(path, { fileType, reading });
    };
  return {
    csv: writer('CSV'),
    json: writer('JSON'),
    ndjson: writer('NDJSON'),
    parquet: async (select) => {
      const path = join(directory.path, `file-${files++}.parquet`);
      await writeParquet(select, path, [`ROW_GROUP_SIZE ${ROWS_OF_GROUP}`]);
      return fileSource(path);
    },
    scan: async (source, names, changes = {}, progress = []) => {
      await using opened = source;
      return await scanOnThread(profileRequest(opened, names, changes), {
        limits: testLimits(join(directory.path, 'scans')),
        clock: systemClock,
        signal: new AbortController().signal,
        onProgress: (step) => progress.push(step),
      });
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** What does not depend on where a row lies in its file, without what is handed to the next scan. */
export function withoutOrder({ memory: _memory, samples, ...found }: ScanResult) {
  return { ...found, samples: samples.map(({ record_number: _number, ...sample }) => JSON.stringify(sample)).sort() };
}

export function rule(id: string, expression: string, { ignore_nulls } = { ignore_nulls: false }): ScanRequest['monitors'][number] {
  return { id, type: 'RULE', name: id, monitor: { expression, options: { ignore_nulls, empty_values: [] }, variables: [] } };
}

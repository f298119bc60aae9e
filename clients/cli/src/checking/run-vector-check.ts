// SPDX-License-Identifier: Apache-2.0
/** One check of vectors: opens what is checked and what it is compared with, and prints the report. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkVectors, type Finding, type VectorReport } from '@sextant/observability-scan/vectors';
import { vectorClient } from '../connection/clients.ts';
import { EXIT_CODES } from '../failure.ts';
import { formatOfName } from '../rows/open-rows.ts';
import type { Shell } from '../shell.ts';
import { type CheckedPoints, UNNAMED } from './checked-points.ts';
import { type FileReading, openFilePoints } from './file-points.ts';
import { reportText } from './report-text.ts';

export type VectorCheckRequest = Pick<FileReading, 'reading' | 'mapping'> & {
  /** A file or the name of a collection. */
  readonly source: string;
  readonly against: string | undefined;
  /** By vector, the payload member that it is made from. */
  readonly textMembers: { readonly [vector: string]: string };
  readonly limit: number | undefined;
  readonly failOnFindings: boolean;
};

export async function runVectorCheck(shell: Shell, request: VectorCheckRequest): Promise<void> {
  const { terminal, clock, signal } = shell;
  const startedMs = clock.monotonicMs();
  const temporaryDirectory = await mkdtemp(join(tmpdir(), 'sextant-check-'));
  const progress = terminal.progress({ label: request.source, unit: 'points' });
  try {
    await using against = request.against === undefined ? undefined : await openPoints(shell, request.against, request);
    await using checked = await openPoints(shell, request.source, request);
    const report = await checkVectors(checked.access, {
      against: against?.access,
      textMembers: request.textMembers,
      limit: request.limit,
      temporaryDirectory,
      signal,
      onProgress: ({ rowsRead, fraction, of }) =>
        progress.show({ done: rowsRead, share: fraction ?? undefined, ...(of === 'against' && { note: `of ${request.against}` }) }),
    });
    progress.end();
    const whole = { ...report, findings: [...sourceFindings(checked), ...report.findings] };
    const seconds = (clock.monotonicMs() - startedMs) / 1000;
    terminal.result({ source: request.source, against: request.against ?? null, seconds, ...whole }, () =>
      reportText(whole, { ...request, seconds, table: terminal.table }),
    );
    if (request.failOnFindings && !isAsWished(whole, request)) shell.setExitCode(EXIT_CODES.below_expectation.code);
  } finally {
    progress.end();
    await rm(temporaryDirectory, { recursive: true, force: true });
  }
}

/** A file where there is one, or where the name is that of one. */
async function openPoints(shell: Shell, source: string, { reading, mapping }: VectorCheckRequest): Promise<CheckedPoints> {
  const isFile = reading.format !== undefined || formatOfName(source) !== undefined || (await exists(source));
  if (isFile) return openFilePoints({ path: source, reading, mapping });
  // The client is loaded where a service is asked.
  const { openCollectionPoints } = await import('./collection-points.ts');
  return openCollectionPoints((await vectorClient(shell)).collection(source), shell.signal);
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** What reading itself has found. */
function sourceFindings({ unreadable, notDense }: CheckedPoints): readonly Finding[] {
  const { count, first } = unreadable();
  const rows: readonly Finding[] =
    count === 0
      ? []
      : [
          {
            check: 'unreadable rows',
            vector: null,
            status: 'failed',
            found: count,
            of: null,
            detail: `These rows give no point: ${first.join('; ')}.`,
          },
        ];
  const others = [...notDense()].map((name): Finding => {
    const title = name === UNNAMED ? 'The vector' : `The vector ${name}`;
    return { check: 'vectors', vector: name, status: 'not_checked', found: null, of: null, detail: `${title} is not dense.` };
  });
  return [...rows, ...others];
}

function isAsWished({ findings }: VectorReport, { against }: VectorCheckRequest): boolean {
  return findings.every(({ status }) => status === 'passed' || (status === 'not_checked' && against === undefined));
}

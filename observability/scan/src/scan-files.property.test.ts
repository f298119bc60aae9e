// SPDX-License-Identifier: Apache-2.0
import { isLongRun, roundsOf } from '@sextant/foundation-testing';
import {
  checkCombinations,
  checkCombinedMoves,
  checkExplanations,
  checkMetricFaults,
  checkScans,
  checkSegmentMoves,
} from './scan.conformance.ts';
import { csvFile, ndjsonFile, parquetFile } from './testing/table-files.ts';

const RUNS = roundsOf({ quick: 1, long: 40 });

checkExplanations('a Parquet file', parquetFile);
checkCombinations('a Parquet file', parquetFile, { salts: isLongRun() ? [1, 2, 3] : [1] });
checkCombinedMoves('a CSV file', csvFile);
checkMetricFaults('a Parquet file', parquetFile);
checkSegmentMoves('a Parquet file', parquetFile);
if (isLongRun()) checkSegmentMoves('a CSV file', csvFile);
checkScans('a gzipped CSV file', { letters: 'all', runs: RUNS, open: csvFile });
checkScans('an NDJSON file', { letters: 'all', runs: RUNS, open: ndjsonFile });
checkScans('a Parquet file', { letters: 'all', runs: 2 * RUNS, open: parquetFile });

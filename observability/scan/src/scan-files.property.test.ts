// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import {
  checkCombinations,
  checkCombinedMoves,
  checkExplanations,
  checkMetricFaults,
  checkScans,
  checkSegmentMoves,
} from './scan.conformance.ts';
import { csvFile, ndjsonFile, parquetFile } from './testing/table-files.ts';

const RUNS = roundsOf({ quick: 2, long: 40 });

checkExplanations('a Parquet file', parquetFile);
checkCombinations('a Parquet file', parquetFile);
checkCombinedMoves('a CSV file', csvFile);
checkMetricFaults('a Parquet file', parquetFile);
checkSegmentMoves('a Parquet file', parquetFile);
checkSegmentMoves('a CSV file', csvFile);
checkScans('a gzipped CSV file', { letters: 'all', runs: RUNS, open: csvFile });
checkScans('an NDJSON file', { letters: 'all', runs: RUNS, open: ndjsonFile });
checkScans('a Parquet file', { letters: 'all', runs: RUNS, open: parquetFile });

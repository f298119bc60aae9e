// SPDX-License-Identifier: Apache-2.0
import { farDaysSuite } from './far-days.conformance.ts';
import { onDuckdb } from './sql-engines.conformance.ts';

onDuckdb(farDaysSuite);

// SPDX-License-Identifier: Apache-2.0
/** What expressions, rules, metrics and patterns become in PostgreSQL; the same suites run on DuckDB beside what they test. */
import { roundsOf } from '@sextant/foundation-testing';
import { farDaysSuite } from './expressions/far-days.conformance.ts';
import { metricsSuite } from './expressions/metric-compiler.conformance.ts';
import { regularExpressionSuite } from './expressions/regular-expression.conformance.ts';
import { onPostgresql } from './expressions/sql-engines.conformance.ts';
import { fixedPointSuite } from './passes/fixed-point.conformance.ts';
import { piiSuite } from './pii/pii.conformance.ts';
import { generatedRulesSuite } from './rules/generated-rules.conformance.ts';
import { rulesSuite } from './rules/rule-compiler.conformance.ts';
import { languagePageSuite } from './rules/rule-language-page.conformance.ts';

onPostgresql((postgresql, duckdb) => {
  farDaysSuite(postgresql);
  metricsSuite(postgresql);
  regularExpressionSuite(postgresql, [duckdb]);
  fixedPointSuite(postgresql, [duckdb]);
  piiSuite(postgresql);
  rulesSuite(postgresql);
  generatedRulesSuite(postgresql, roundsOf({ quick: 2, long: 60 }));
  languagePageSuite(postgresql);
});

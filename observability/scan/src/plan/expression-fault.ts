// SPDX-License-Identifier: Apache-2.0
/** What of a rule or metric does not fit the attributes of an asset, found before any scan. */
import type { Attribute, MonitorDefinition } from '@sextant/contracts-observability';
import type { ExpressionFault } from '../checks.ts';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { compileMetric } from '../expressions/metric-compiler.ts';
import { compileRule } from '../rules/rule-compiler.ts';

/** Names and types mean the same on every engine, so that one is as good as another; undefined where all fits. */
export function expressionFault(
  definition: MonitorDefinition,
  columns: readonly Pick<Attribute, 'name' | 'source_type' | 'data_type'>[],
): ExpressionFault | undefined {
  const context = { dialect: duckdbDialect, columns, relation: 'asset', nowMs: 0 };
  if ('variables' in definition) return errorOf(compileRule('', definition, context));
  return 'raw_sql' in definition ? errorOf(compileMetric('', definition, context)) : undefined;
}

function errorOf(compiled: ReturnType<typeof compileRule> | ReturnType<typeof compileMetric>): ExpressionFault | undefined {
  return compiled.kind === 'refused' ? compiled.error : undefined;
}

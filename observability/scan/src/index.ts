// SPDX-License-Identifier: Apache-2.0
export { findWrongCellsInFile } from './cells/find-in-file.ts';
export type { SuggestedRule } from './cells/suggested-rules.ts';
export type { WrongCell } from './cells/suspicion.ts';
export { ScanError } from './engine/engine.ts';
export { REFUSED_ON_SPARK } from './engine/spark-engine.ts';
export { ExpressionError } from './expressions/expression-error.ts';
export { parseMetric } from './expressions/metric-compiler.ts';
export { findRawSqlProblem } from './expressions/raw-sql.ts';
export { columnsOfSelects, columnsOfView, type Select, type SelectColumns } from './plan/columns-of-view.ts';
export { expressionFault } from './plan/expression-fault.ts';
export type { Sources as ViewColumnSources } from './plan/select-columns.ts';
export { sqlFaultInPostgresql, sqlFaultOfFiles } from './plan/sql-fault.ts';
export { parseRule } from './rules/rule-parser.ts';
export { runScan } from './run-scan.ts';
export type { RuleCount, RunScan, ScanLimits, ScanMemory, ScanProgress, ScanRequest, ScanResult } from './scan.ts';

export { findWrongCellsInFile } from './cells/find-in-file.ts';
export type { WrongCell } from './cells/suspicion.ts';
export { ScanError } from './engine/engine.ts';
export { ExpressionError } from './expressions/expression-error.ts';
export { parseMetric } from './expressions/metric-compiler.ts';
export { findRawSqlProblem } from './expressions/raw-sql.ts';
export { parseRule } from './rules/rule-parser.ts';
export { runScan } from './run-scan.ts';
export type { RuleCount, RunScan, ScanLimits, ScanMemory, ScanProgress, ScanRequest, ScanResult } from './scan.ts';

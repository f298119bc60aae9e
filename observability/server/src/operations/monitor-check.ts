/** Whether an expression is of the language at all; what depends on the attributes that the asset has then is said by the scan. */
import { ApiError, type MonitorDefinition, type MonitorType } from '@sextant/contracts-observability';
import { ExpressionError, findRawSqlProblem, parseMetric, parseRule } from '@sextant/observability-scan';

/** Where an expression leaves the language; both places count from 1, and stay null for a statement of SQL. */
export type DefinitionProblem = { readonly reason: string; readonly line: number | null; readonly column: number | null };

export function definitionProblem(type: MonitorType, definition: MonitorDefinition): DefinitionProblem | undefined {
  if (!('expression' in definition)) return undefined;
  if (type === 'RULE') return parseProblem(() => parseRule(definition.expression));
  if (!('raw_sql' in definition) || !definition.raw_sql) return parseProblem(() => parseMetric(definition.expression));
  const reason = findRawSqlProblem(definition.expression);
  return reason === undefined ? undefined : { reason, line: null, column: null };
}

/** @throws ApiError that says what is wrong, and where */
export function requireMeasurable(type: MonitorType, definition: MonitorDefinition): void {
  const problem = definitionProblem(type, definition);
  if (problem === undefined) return;
  const { reason, line, column } = problem;
  if (line === null || column === null) throw new ApiError('bad_request', { reason: `monitor.expression: ${reason}` });
  throw new ApiError('rule_invalid', { reason, line, column });
}

function parseProblem(parse: () => unknown): DefinitionProblem | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { line, column, message } = error;
    // The message begins with the place, which has members of its own here.
    return { reason: message.replace(/^line \d+, column \d+: /, ''), line, column };
  }
}

// SPDX-License-Identifier: Apache-2.0
/** Whether a monitor can be evaluated: its expression is of the language, and what it names is there, as far as the attributes of the asset are known. */
import { ApiError, type Asset, holdsVectors, type MonitorDefinition, type MonitorType } from '@sextant/contracts-observability';
import { collectionFault, type WatchedSchema, watchFault } from '@sextant/observability-monitors';
import { ExpressionError, expressionFault, findRawSqlProblem, parseMetric, parseRule } from '@sextant/observability-scan';
import type { TenantContext } from './operation.ts';

/** What is wrong, and where in an expression; both places count from 1, and stay null for what is no expression. */
type DefinitionProblem = {
  readonly member: 'monitor' | 'monitor.expression' | 'monitor.attributes';
  readonly reason: string;
  readonly line: number | null;
  readonly column: number | null;
};

/** What is known of an asset before a scan. */
type KnownAsset = { readonly isCollection: boolean; readonly schema: KnownSchema | undefined };

type KnownSchema = WatchedSchema & { readonly attributes: Parameters<typeof expressionFault>[1] };

type Context = Pick<TenantContext, 'tenant' | 'sqlFault'>;

export type MonitorToCheck = {
  readonly asset: Asset;
  readonly type: MonitorType;
  readonly definition: MonitorDefinition;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
};

/** @throws ApiError that says what is wrong, and where */
export async function requireMeasurable(context: Context, monitor: MonitorToCheck): Promise<void> {
  const { asset, type, definition } = monitor;
  const known = await knownAsset(context, asset);
  const problem = definitionProblem(type, definition, known) ?? (await sqlProblem(context, monitor, known));
  if (problem === undefined) return;
  const { member, reason, line, column } = problem;
  if (line === null || column === null) throw new ApiError('bad_request', { reason: `${member}: ${reason}` });
  throw new ApiError('rule_invalid', { reason, line, column });
}

async function knownAsset({ tenant }: Context, asset: Asset): Promise<KnownAsset> {
  const isCollection = holdsVectors(asset);
  const attributes = await tenant.attributes.list(asset.id);
  // A source that could not be reached yet has none, and the members of a payload are not fixed: the scan says what is missing.
  return { isCollection, schema: isCollection || attributes.length === 0 ? undefined : { attributes, options: asset.options } };
}

async function sqlProblem(
  { tenant, sqlFault }: Context,
  { asset, definition, signal }: MonitorToCheck,
  { schema }: KnownAsset,
): Promise<DefinitionProblem | undefined> {
  if (schema === undefined || !('raw_sql' in definition) || !definition.raw_sql) return undefined;
  const reason = await sqlFault(tenant, asset, { sql: definition.expression, columns: schema.attributes, signal });
  return reason === undefined ? undefined : { member: 'monitor.expression', reason, line: null, column: null };
}

function definitionProblem(
  type: MonitorType,
  definition: MonitorDefinition,
  { isCollection, schema }: KnownAsset,
): DefinitionProblem | undefined {
  if (!('expression' in definition)) {
    if (definition.predefined_metric === 'DATA_DIFFERENCE') {
      const reason = 'DATA_DIFFERENCE compares two assets, and comparisons cannot be set up yet; this monitor can only be disabled';
      return { member: 'monitor', reason, line: null, column: null };
    }
    const monitor = { type, monitor: definition };
    const reason = isCollection ? collectionFault(monitor) : schema && watchFault(monitor, schema);
    return reason === undefined ? undefined : { member: 'monitor.attributes', reason, line: null, column: null };
  }
  if (isCollection) {
    const reason = 'rules and expressions are measured on files and tables, not on vector collections';
    return { member: 'monitor', reason, line: null, column: null };
  }
  return languageProblem(type, definition) ?? (schema && problemOf(expressionFault(definition, schema.attributes)));
}

function languageProblem(type: MonitorType, definition: Extract<MonitorDefinition, { expression: string }>): DefinitionProblem | undefined {
  if (type === 'RULE') return parseProblem(() => parseRule(definition.expression));
  if (!('raw_sql' in definition) || !definition.raw_sql) return parseProblem(() => parseMetric(definition.expression));
  const reason = findRawSqlProblem(definition.expression);
  return reason === undefined ? undefined : { member: 'monitor.expression', reason, line: null, column: null };
}

function parseProblem(parse: () => unknown): DefinitionProblem | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return problemOf(error);
  }
}

function problemOf(error: ReturnType<typeof expressionFault>): DefinitionProblem | undefined {
  if (error === undefined) return undefined;
  const { line, column, message } = error;
  // The message begins with the place, which has members of its own here.
  return { member: 'monitor.expression', reason: message.replace(/^line \d+, column \d+: /, ''), line, column };
}

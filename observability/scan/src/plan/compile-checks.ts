// SPDX-License-Identifier: Apache-2.0
/** Compiles the monitors of an asset for one engine; what cannot be compiled becomes a failure of its monitor alone. */

import type { CompileContext, Compiled, MetricCheck, RuleCheck } from '../checks.ts';
import { compileMetric } from '../expressions/metric-compiler.ts';
import { compileRule } from '../rules/rule-compiler.ts';
import type { ScanRequest } from '../scan.ts';
import type { Failure } from './failure.ts';

export type Checks = {
  readonly rules: readonly RuleCheck[];
  readonly metrics: readonly MetricCheck[];
  readonly failures: readonly Failure[];
};

export function compileChecks(monitors: ScanRequest['monitors'], context: CompileContext): Checks {
  const rules: RuleCheck[] = [];
  const metrics: MetricCheck[] = [];
  const failures: Failure[] = [];
  const keep = <Check>(checks: Check[], monitorId: string, compiled: Compiled<Check>): void => {
    if (compiled.kind === 'compiled') checks.push(compiled.check);
    else failures.push({ monitor_id: monitorId, reason: compiled.reason });
  };
  for (const { id, monitor } of monitors) {
    if ('variables' in monitor) keep(rules, id, compileRule(id, monitor, context));
    else if ('raw_sql' in monitor) keep(metrics, id, compileMetric(id, monitor, context));
  }
  return { rules, metrics, failures };
}

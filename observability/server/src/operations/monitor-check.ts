/** Whether an expression can be measured at all; what depends on the asset's attributes is said by the scan. */
import type { Monitor, MonitorType } from '@sextant/contracts-observability';

export type DefinitionProblem = { readonly reason: string; readonly line: number; readonly column: number };

export function definitionProblem(_type: MonitorType, _definition: Monitor['monitor']): DefinitionProblem | undefined {
  return undefined;
}

// SPDX-License-Identifier: Apache-2.0
/** What scans propose: cells that look wrong, and rules that could be monitors. */
import { monitorSchema } from '../monitor-schemas.ts';
import {
  acceptRuleSchema,
  putCellVerdictSchema,
  suggestedRulesSchema,
  wrongCellSchema,
  wrongCellsQuerySchema,
  wrongCellsSchema,
} from '../wrong-cell-schemas.ts';
import { type Endpoint, needs, read } from './endpoint.ts';
import { backend } from './paths.ts';

const CELLS = '/{tenant}/assets/{asset_id}/wrong-cells';
const RULES = '/{tenant}/assets/{asset_id}/suggested-rules';
const proposals = { tag: 'Proposals' } as const;

export const wrongCellEndpoints = {
  list_wrong_cells: {
    ...proposals,
    ...backend(CELLS),
    ...read,
    summary: 'List the cells that look wrong in the newest search, highest confidence first; personal data are masked',
    query: wrongCellsQuerySchema,
    result: wrongCellsSchema,
  },
  put_cell_verdict: {
    ...proposals,
    ...backend(`${CELLS}/{cell_id}/verdict`),
    method: 'PUT',
    summary: 'Set a verdict on a cell; the next search learns from it',
    needs: needs.assetOperator,
    body: putCellVerdictSchema,
    result: wrongCellSchema,
    errors: ['conflict'],
  },
  list_suggested_rules: {
    ...proposals,
    ...backend(RULES),
    ...read,
    summary: 'List the rules that almost all rows follow in the newest search',
    result: suggestedRulesSchema,
  },
  accept_suggested_rule: {
    ...proposals,
    ...backend(`${RULES}/{rule_id}/accept`),
    method: 'POST',
    summary: 'Create a monitor from a suggested rule',
    needs: needs.assetEditor,
    bodyOptional: true,
    body: acceptRuleSchema,
    result: monitorSchema,
    errors: ['conflict', 'rule_invalid'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };

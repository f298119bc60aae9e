// SPDX-License-Identifier: Apache-2.0
/** What a search costs the service besides the engine. */
import { type Cost, measureCosts, renderCosts } from '../request-overhead/costs.ts';
import type { Section } from './section.ts';

/** An engine that was idle tidies its memory up first, which few searches would not spread. */
const SEARCHES = 10_000;
/** What most clients send. */
const DIGITS = 5;

type Figures = { readonly rounds: number; readonly costs: readonly Cost[] };

export const requestOverhead: Section<Figures> = {
  title: 'Request overhead: HTTP, parsing, authorisation, planning, response',
  measure: async ({ rounds }) => ({ rounds, costs: await measureCosts({ searches: SEARCHES, rounds, digits: DIGITS }) }),
  render: ({ rounds, costs }) => renderCosts(costs, { searches: SEARCHES, rounds }),
};

// SPDX-License-Identifier: Apache-2.0
/** Which plans the searches of a request have taken, for those who ask; others pay for a look whether anybody does. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SearchPlan } from './plan.ts';

export type NotedPlan = {
  /** `scan`, `quantized-scan`, `graph`, `ivf`, `trial`, or `post-check of` one of them; `evaluate` where the filter was evaluated on all rows before. */
  readonly plan: string;
  /** Of the vector that was searched; empty for the unnamed one. */
  readonly vector: string;
  /** Rows that were looked for, a few more than were asked for. */
  readonly count: number;
  /** Rows that may match the filter, by field indexes; null where any may. */
  readonly candidates: number | null;
};

/** A batch may have thousands of searches; the first say enough. */
const PLANS_MAX = 20;

const notes = new AsyncLocalStorage<NotedPlan[]>();

/** Runs something and tells the plans of the searches in it, as far as they run on this thread; who asked around it hears of them as well. */
export async function notingPlans<Result>(run: () => Promise<Result>, plans: NotedPlan[]): Promise<Result> {
  const outer = notes.getStore();
  const result = await notes.run(plans, run);
  outer?.push(...plans.slice(0, Math.max(0, PLANS_MAX - outer.length)));
  return result;
}

export function notePlan(plan: SearchPlan, search: () => Omit<NotedPlan, 'plan'>): void {
  const plans = notes.getStore();
  if (plans === undefined || plans.length === PLANS_MAX) return;
  plans.push({ plan: plan.kind === 'post-check' ? `post-check of ${plan.among.kind}` : plan.kind, ...search() });
}

// SPDX-License-Identifier: Apache-2.0
/** What the monitors of all scans came to since the start, for `/metrics`. */
import type { CheckCounts } from '@sextant/contracts-observability';
import type { Figure } from '@sextant/foundation-service/http';

export class CheckFigures {
  #counts: CheckCounts = { ok: 0, violated: 0, errored: 0, not_enough_history: 0, not_applicable: 0 };

  add(counts: CheckCounts): void {
    const { ok, violated, errored, not_enough_history, not_applicable } = this.#counts;
    this.#counts = {
      ok: ok + counts.ok,
      violated: violated + counts.violated,
      errored: errored + counts.errored,
      not_enough_history: not_enough_history + counts.not_enough_history,
      not_applicable: not_applicable + counts.not_applicable,
    };
  }

  get figures(): readonly Figure[] {
    const { ok, violated, errored, not_enough_history: waiting } = this.#counts;
    return [
      { name: 'checks_ok_total', help: 'Monitor evaluations without a violation since the start', value: ok },
      { name: 'checks_violated_total', help: 'Monitor evaluations with a violation since the start', value: violated },
      { name: 'checks_errored_total', help: 'Monitor evaluations that failed since the start', value: errored },
      {
        name: 'checks_not_enough_history_total',
        help: 'Monitor evaluations that were skipped since the start because there were too few scans',
        value: waiting,
      },
    ];
  }
}

// SPDX-License-Identifier: Apache-2.0
/** What people said of proposed cells, and what it means for the next proposals. */
import { createHash } from 'node:crypto';
import type { CellDetector, CellVerdict } from '@sextant/contracts-observability';

/** Names a value of an attribute without telling it. */
export function valueKeyOf(attribute: string, value: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([attribute, value]))
    .digest('base64url');
}

/** A detector's own confidence counts as so many verdicts: a few of a person's outweigh it. */
const PRIOR_STRENGTH = 2;

/** The verdicts on one attribute. */
export class Verdicts {
  readonly #byValue = new Map<string, CellVerdict>();
  readonly #byDetector = new Map<string, { wrong: number; all: number }>();

  constructor(verdicts: readonly CellVerdict[] = []) {
    for (const verdict of verdicts) {
      this.#byValue.set(keyOf(verdict.attribute, verdict.valueKey), verdict);
      for (const detector of verdict.detectors) {
        const key = keyOf(verdict.attribute, detector);
        const counts = this.#byDetector.get(key) ?? { wrong: 0, all: 0 };
        counts.all += 1;
        counts.wrong += verdict.isWrong ? 1 : 0;
        this.#byDetector.set(key, counts);
      }
    }
  }

  /**
   * How likely a value is wrong that a detector suspects, after what was said of what it had suspected in the attribute: the mean of a beta
   * distribution whose prior is the detector's confidence (Gelman et al., "Bayesian Data Analysis", 3rd edition 2013, section 2.4).
   */
  scoreOf(attribute: string, detector: CellDetector, confidence: number): number {
    const counts = this.#byDetector.get(keyOf(attribute, detector));
    if (counts === undefined) return confidence;
    return (PRIOR_STRENGTH * confidence + counts.wrong) / (PRIOR_STRENGTH + counts.all);
  }

  /**
   * What was said of this value; undefined where nobody did, and where a detector suspects it that did not before: a value that is right among its
   * column's may still contradict its row.
   */
  of(attribute: string, value: string | null, detectors: readonly CellDetector[]): CellVerdict | undefined {
    if (this.#byValue.size === 0) return undefined;
    const verdict = this.#byValue.get(keyOf(attribute, valueKeyOf(attribute, value)));
    return verdict !== undefined && (verdict.isWrong || detectors.every((each) => verdict.detectors.includes(each))) ? verdict : undefined;
  }
}

function keyOf(attribute: string, what: string): string {
  return JSON.stringify([attribute, what]);
}

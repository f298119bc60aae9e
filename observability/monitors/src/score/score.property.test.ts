// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { incidentLoad, type ScoreExposure, scoreCap } from './incident-load.ts';
import { measureIncidents, type ScoreMeasure } from './measures.ts';
import { explainChange, scoreOf } from './score.ts';

const DIMENSIONS = ['completeness', 'accuracy', 'consistency', 'timeliness'] as const;
const share = fc.double({ min: 0, max: 100, noNaN: true });
const weight = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 100, noNaN: true }), fc.double({ min: 0, max: 1e300, noNaN: true }));

const weights = fc
  .record({ completeness: weight, accuracy: weight, consistency: weight, timeliness: weight })
  .filter((record) => Object.values(record).some((each) => each > 0));

const measures = fc.tuple(...DIMENSIONS.map(() => fc.option(share, { freq: 4 }))).map((values) =>
  values.map((value, index): ScoreMeasure => {
    const dimension = DIMENSIONS[index] ?? 'completeness';
    return { dimension, value, measured_from: { sentence: '', metrics: [], incident_ids: [] } };
  }),
);

test('a score lies between 0 and 100, below its cap and its best dimension, and its parts less the deduction add up to it', () => {
  fc.assert(
    fc.property(measures, weights, share, (measured, given, cap) => {
      const { score, parts, deduction } = scoreOf(measured, given, cap);
      const weighed = parts.filter(({ weight: of }) => of > 0);
      if (score === null) {
        expect(weighed).toEqual([]);
        return;
      }
      expect(parts.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(score + deduction, 8);
      expect(parts.reduce((sum, { weight: of }) => sum + of, 0)).toBeCloseTo(1, 8);
      expect(score).toBeLessThanOrEqual(cap);
      expect(score + deduction).toBeGreaterThanOrEqual(Math.max(0, Math.min(...weighed.map(({ value }) => value ?? 0)) - 1e-9));
      expect(score).toBeLessThanOrEqual(Math.min(100, Math.max(...weighed.map(({ value }) => value ?? 0)) + 1e-9));
    }),
  );
});

test('the differences of the parts add up to the difference of the scores', () => {
  fc.assert(
    fc.property(measures, weights, measures, weights, (before, weightsBefore, after, weightsAfter) => {
      const [from, to] = [scoreOf(before, weightsBefore), scoreOf(after, weightsAfter)];
      fc.pre(from.score !== null && to.score !== null);
      const changes = explainChange(from.parts, to.parts);
      const difference = changes.reduce((sum, change) => sum + change.difference, 0);
      expect(difference).toBeCloseTo((to.score ?? 0) - (from.score ?? 0), 8);
      for (const change of changes) expect(change.of_value + change.of_weight).toBe(change.difference);
    }),
  );
});

const incident = fc.record({
  alert_policy_id: fc.constantFrom('FRESHNESS_DRIFTS', 'SCHEMA_DRIFTS', '7'),
  severity: fc.constantFrom('LOW' as const, 'MEDIUM' as const, 'HIGH' as const, '' as const),
  attributes: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', null), { maxLength: 3 }),
});

const NOTHING = { sentence: '', metrics: [], incident_ids: [] };

test('one more open incident never raises a score, and what incidents cost adds up', () => {
  fc.assert(
    fc.property(fc.array(incident, { maxLength: 30 }), weights, fc.nat(5), (open, given, attributes) => {
      const open_incidents = open.map((each, id) => ({ id, ...each }));
      const scored = (exposure: ScoreExposure) => {
        const measured = measureIncidents({ exposure, monitors: [], scan: [], isFreshnessMeasured: true });
        const all = [{ dimension: 'completeness' as const, value: 100, measured_from: NOTHING }, ...measured];
        return { score: scoreOf(all, given, scoreCap(exposure)?.score).score ?? 0, consistency: measured[0]?.value ?? 0 };
      };
      const more = scored({ open_incidents, attributes });
      expect(more.score).toBeLessThanOrEqual(scored({ open_incidents: open_incidents.slice(1), attributes }).score);
      const lost = incidentLoad({ open_incidents, attributes }).incidents.reduce((sum, each) => sum + each.lost, 0);
      expect(lost).toBeCloseTo(100 - more.consistency, 8);
    }),
  );
});

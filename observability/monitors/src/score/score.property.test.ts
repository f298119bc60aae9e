import fc from 'fast-check';
import { expect, test } from 'vitest';
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

test('a score lies between 0 and 100 and between its dimensions, and its parts add up to it', () => {
  fc.assert(
    fc.property(measures, weights, (measured, given) => {
      const { score, parts } = scoreOf(measured, given);
      const weighed = parts.filter(({ weight: of }) => of > 0);
      if (score === null) {
        expect(weighed).toEqual([]);
        return;
      }
      expect(parts.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(score, 8);
      expect(parts.reduce((sum, { weight: of }) => sum + of, 0)).toBeCloseTo(1, 8);
      expect(score).toBeGreaterThanOrEqual(Math.max(0, Math.min(...weighed.map(({ value }) => value ?? 0)) - 1e-9));
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

test('one more open incident never raises a score', () => {
  const policies = fc.array(fc.constantFrom('FRESHNESS_DRIFTS', 'SCHEMA_DRIFTS', '7'), { maxLength: 30 });
  fc.assert(
    fc.property(policies, weights, (open, given) => {
      const incidents = open.map((alert_policy_id, id) => ({ id, alert_policy_id }));
      const more = scoreOf(measureIncidents(incidents, []), given).score ?? 0;
      const fewer = scoreOf(measureIncidents(incidents.slice(1), []), given).score ?? 0;
      expect(more).toBeLessThanOrEqual(fewer);
    }),
  );
});

// SPDX-License-Identifier: Apache-2.0
import type { MetricName, MetricPoint, ScorePart } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import { type ScoredIncident, type ScoreExposure, scoreCap } from './incident-load.ts';
import { measureIncidents, measureScan, type ScannedAsset, type ScoreMeasure } from './measures.ts';
import { bandOf, DEFAULT_DQ_SCORE, explainChange, scoreOf } from './score.ts';

const EQUAL = DEFAULT_DQ_SCORE.weights;

function point(metric_name: MetricName, value: number | null, place: Partial<MetricPoint> = {}): MetricPoint {
  return { metric_name, metric_aggregation: 'ratio', attribute: null, segment: null, monitor_id: null, value, ...place };
}

function measures(completeness: number | null, accuracy: number | null, consistency: number | null, timeliness: number | null) {
  const values = { completeness, accuracy, consistency, timeliness };
  const measured_from = { sentence: '', metrics: [], incident_ids: [] };
  return Object.entries(values).map(([dimension, value]) => ({ dimension, value, measured_from }) as ScoreMeasure);
}

const ATTRIBUTES = 10;

/** Open incidents of one attribute each, of low severity unless it is said. */
function exposed(...incidents: readonly (string | Partial<ScoredIncident>)[]): ScoreExposure {
  const open_incidents = incidents.map((each, index) => {
    const given = typeof each === 'string' ? { alert_policy_id: each } : each;
    return { id: index + 1, alert_policy_id: 'any', severity: 'LOW' as const, attributes: ['city'], ...given };
  });
  return { open_incidents, attributes: ATTRIBUTES };
}

const MEASURED = { monitors: [], scan: [{ value: 50 }], isFreshnessMeasured: true };
const ofIncidents = (...incidents: readonly (string | Partial<ScoredIncident>)[]) =>
  measureIncidents({ ...MEASURED, exposure: exposed(...incidents) });
const ofScan = (points: readonly MetricPoint[], changes: Partial<ScannedAsset> = {}) =>
  measureScan(points, { ruleIds: [], isDelta: false, ...changes });
const measured = (all: readonly ScoreMeasure[], wanted: string) => all.find(({ dimension }) => dimension === wanted)?.value;

describe('the score', () => {
  test('is the weighted mean of its dimensions', () => {
    // 0.25 * (96 + 80 + 90 + 100) = 91.5
    const { score, parts } = scoreOf(measures(96, 80, 90, 100), EQUAL);
    expect(score).toBe(91.5);
    expect(parts.map(({ weight, contribution }) => [weight, contribution])).toEqual([
      [0.25, 24],
      [0.25, 20],
      [0.25, 22.5],
      [0.25, 25],
    ]);
  });

  test('takes weights of any scale: the defaults of the guide sum to 100', () => {
    // (30 * 96 + 40 * 80 + 20 * 90 + 10 * 100) / 100 = 88.8
    const weights = { completeness: 30, accuracy: 40, consistency: 20, timeliness: 10 };
    expect(scoreOf(measures(96, 80, 90, 100), weights).score).toBe(88.8);
    const large = { completeness: 30e306, accuracy: 40e306, consistency: 20e306, timeliness: 10e306 };
    expect(scoreOf(measures(96, 80, 90, 100), large).score).toBe(88.8);
    const small = { completeness: 30e-300, accuracy: 40e-300, consistency: 20e-300, timeliness: 10e-300 };
    expect(scoreOf(measures(96, 80, 90, 100), small).score).toBe(88.8);
  });

  test('leaves a dimension out of which nothing is known', () => {
    // (80 + 90 + 100) / 3 = 90
    const { score, parts } = scoreOf(measures(null, 80, 90, 100), EQUAL);
    expect(score).toBe(90);
    expect(parts[0]).toMatchObject({ dimension: 'completeness', value: null, weight: 0, contribution: 0 });
    expect(parts[1]?.weight).toBeCloseTo(1 / 3, 12);
  });

  test('is none where only unknown dimensions have a weight', () => {
    const weights = { completeness: 1, accuracy: 0, consistency: 0, timeliness: 0 };
    expect(scoreOf(measures(null, 80, 90, 100), weights).score).toBeNull();
  });

  test.each([
    [100, 'excellent'],
    [90, 'excellent'],
    [89.99, 'good'],
    [75, 'good'],
    [74.99, 'fair'],
    [60, 'fair'],
    [59.99, 'poor'],
    [0, 'poor'],
  ])('of %d is %s', (score, band) => {
    expect(bandOf(score)).toBe(band);
  });

  test('of 90 everywhere is 90, whatever the weights make of it in floating point', () => {
    const weights = { completeness: 0.1, accuracy: 0.2, consistency: 0.3, timeliness: 0.7 };
    expect(scoreOf(measures(90, 90, 90, 90), weights).score).toBe(90);
  });
});

describe('what a scan says', () => {
  test('completeness is that of the asset, with its emptiest attributes', () => {
    const points = [
      point('COMPLETENESS', 70),
      point('COMPLETENESS', 90, { attribute: 'city' }),
      point('COMPLETENESS', 50, { attribute: 'phone' }),
      point('COMPLETENESS', 10, { attribute: 'phone', segment: 'country=DE' }),
    ];
    const [completeness] = ofScan(points);
    expect(completeness).toMatchObject({
      value: 70,
      measured_from: { sentence: '2 attributes are filled to 70 % on average.', metrics: [{ attribute: 'phone' }, { attribute: 'city' }] },
    });
  });

  test('completeness of a vector collection is that of its payload members and vectors', () => {
    // (100 + 40 + 100) / 3 = 80
    const points = [
      point('PAYLOAD_COMPLETENESS', 100, { attribute: 'title' }),
      point('PAYLOAD_COMPLETENESS', 40, { attribute: 'lang' }),
      point('COMPLETENESS', 100, { attribute: '' }),
    ];
    expect(measured(ofScan(points), 'completeness')).toBe(80);
  });

  test('nothing is known of the completeness of an empty table', () => {
    expect(measured(ofScan([point('COMPLETENESS', null), point('COMPLETENESS', null, { attribute: 'city' })]), 'completeness')).toBeNull();
  });

  test('accuracy is the mean share of records that pass a rule', () => {
    // (95 + 85) / 2 = 90; a rule that spoke of no record and the share of an attribute do not count
    const points = [
      point('CORRECTNESS', 95, { monitor_id: '1', attribute: 'price' }),
      point('CORRECTNESS', 85, { monitor_id: '2', attribute: 'city' }),
      point('CORRECTNESS', null, { monitor_id: '3' }),
      point('CORRECTNESS', 12, { monitor_id: '2', segment: 'country=DE' }),
      point('CORRECTNESS', 99),
    ];
    const accuracy = ofScan(points)[1];
    expect(accuracy).toMatchObject({ value: 90, measured_from: { metrics: [{ monitor_id: '2' }, { monitor_id: '1' }] } });
  });

  test('nothing is known of accuracy without rules', () => {
    expect(measured(ofScan([point('CORRECTNESS', 100)]), 'accuracy')).toBeNull();
  });

  test('an empty delivery is incomplete, but not a delta scan that found nothing new', () => {
    const points = [point('RECORD_COUNT', 0, { metric_aggregation: 'count' }), point('COMPLETENESS', null)];
    const [completeness] = ofScan(points);
    expect(completeness).toMatchObject({
      value: 0,
      measured_from: { sentence: 'The delivery held no record.', metrics: [{ metric_name: 'RECORD_COUNT', value: 0, lost: 100 }] },
    });
    expect(measured(ofScan(points, { isDelta: true }), 'completeness')).toBeNull();
  });

  test('a rule that could not be measured counts as 0, one that applied to no record says nothing', () => {
    // (90 + 0) / 2 = 45
    const points = [point('CORRECTNESS', 90, { monitor_id: '1' }), point('CORRECTNESS', null, { monitor_id: '2' })];
    expect(ofScan(points, { ruleIds: ['1', '2', '3'] })[1]).toMatchObject({
      value: 45,
      measured_from: {
        sentence: '1 rule is measured and 1 rule is not measurable, which counts as 0: 45 % pass on average.',
        metrics: [
          { monitor_id: '3', value: null, lost: 50 },
          { monitor_id: '1', value: 90, lost: 5 },
        ],
      },
    });
    expect(measured(ofScan([], { ruleIds: ['3'] }), 'accuracy')).toBe(0);
  });

  test('what attributes and rules cost adds up to what is missing', () => {
    const points = [
      point('COMPLETENESS', 70, { attribute: 'a' }),
      point('COMPLETENESS', 100, { attribute: 'b' }),
      point('CORRECTNESS', 95, { monitor_id: '1' }),
      point('CORRECTNESS', 60, { monitor_id: '2' }),
    ];
    for (const { value, measured_from } of ofScan(points)) {
      expect(measured_from.metrics.reduce((sum, { lost = 0 }) => sum + lost, 0)).toBeCloseTo(100 - (value ?? 0), 10);
    }
  });

  test('accuracy of a vector collection is the share of its vectors that are whole', () => {
    // 200 points, half of them with a vector: 4 of 100 of another dimension, 1 not a number, 5 zero, so 90 are sound.
    const text = { attribute: 'text' };
    const points = [
      point('RECORD_COUNT', 200, { metric_aggregation: 'count' }),
      point('COMPLETENESS', 50, text),
      point('VECTOR_DIMENSION_CONFORMITY', 96, text),
      point('VECTOR_NAN_COUNT', 1, { ...text, metric_aggregation: 'count' }),
      point('VECTOR_INFINITE_COUNT', 0, { ...text, metric_aggregation: 'count' }),
      point('VECTOR_ZERO_COUNT', 5, { ...text, metric_aggregation: 'count' }),
      point('COMPLETENESS', 0, { attribute: 'image' }),
      point('VECTOR_DIMENSION_CONFORMITY', null, { attribute: 'image' }),
    ];
    expect(measured(ofScan(points), 'accuracy')).toBe(90);
  });
});

describe('what open incidents say', () => {
  test('without any, both dimensions are 100', () => {
    expect(ofIncidents().map(({ value }) => value)).toEqual([100, 100]);
  });

  test('without any and without a measurement, nothing is known', () => {
    const nothing = { exposure: exposed(), monitors: [], scan: [{ value: null }], isFreshnessMeasured: false };
    expect(measureIncidents(nothing).map(({ value }) => value)).toEqual([null, null]);
    expect(scoreOf([...ofScan([]), ...measureIncidents(nothing)], EQUAL).score).toBeNull();
  });

  test('timeliness is unknown where freshness is not measured', () => {
    const unmeasured = { ...MEASURED, isFreshnessMeasured: false };
    expect(measured(measureIncidents({ ...unmeasured, exposure: exposed() }), 'timeliness')).toBeNull();
    expect(measured(measureIncidents({ ...unmeasured, exposure: exposed('FRESHNESS_DRIFTS') }), 'timeliness')).toBe(0);
  });

  test('each of 20 of low severity takes five points of consistency', () => {
    expect(measured(ofIncidents('1', '2', '3'), 'consistency')).toBe(85);
    expect(measured(ofIncidents(...Array.from({ length: 25 }, String)), 'consistency')).toBe(0);
  });

  test.each([
    ['LOW', [null], 95],
    ['MEDIUM', [null], 80],
    ['HIGH', [null], 50],
    ['', [null], 80],
    ['HIGH', ['a', 'b', 'c', 'd', 'e'], 75],
    ['HIGH', ['a'], 95],
    ['MEDIUM', ['a'], 95],
    ['HIGH', [], 50],
    ['HIGH', Array.from({ length: 20 }, (_, place) => String(place)), 50],
  ] as const)('one of severity %j about %j leaves consistency at %d', (severity, attributes, value) => {
    const [consistency] = ofIncidents({ severity, attributes });
    expect(consistency?.value).toBeCloseTo(value, 10);
    expect(consistency?.measured_from.incidents?.[0]?.lost).toBeCloseTo(100 - value, 10);
  });

  test.each([
    ['the pre-built monitor of freshness', 'FRESHNESS_DRIFTS'],
    ['a monitor that people made for freshness', '7'],
  ])('one of %s takes timeliness', (_name, policy) => {
    const monitors = [
      { id: '7', monitor: { predefined_metric: 'FRESHNESS', attributes: [] } },
      { id: '8', monitor: { predefined_metric: 'COMPLETENESS', attributes: [] } },
    ];
    const ofBoth = (...policies: readonly string[]) => measureIncidents({ ...MEASURED, monitors, exposure: exposed(...policies) });
    expect(ofBoth('8', policy)).toMatchObject([
      { dimension: 'consistency', value: 90, measured_from: { incident_ids: [1, 2] } },
      { dimension: 'timeliness', value: 0, measured_from: { incident_ids: [2] } },
    ]);
    expect(measured(ofBoth('8'), 'timeliness')).toBe(100);
  });
});

describe('the cap', () => {
  const HIGH = { severity: 'HIGH' } as const;

  test.each([
    ['is none without an open incident of high severity', [{ severity: 'MEDIUM', attributes: [null] }], undefined],
    ['is poor where one touches the whole asset', [{ ...HIGH, attributes: [null] }], 50],
    [
      'follows the share that the worst touches',
      [
        { ...HIGH, attributes: ['a'] },
        { ...HIGH, attributes: ['a', 'b', 'c', 'd', 'e'] },
      ],
      69.5,
    ],
    ['is below excellent where one touches little', [{ ...HIGH, attributes: ['a'] }], 85.1],
  ] as const)('%s', (_name, incidents, score) => {
    expect(scoreCap(exposed(...incidents))?.score).toEqual(score === undefined ? undefined : expect.closeTo(score, 10));
  });

  test('holds the score down, and says by how much', () => {
    expect(scoreOf(measures(100, 100, 50, 100), EQUAL, 50)).toMatchObject({ score: 50, deduction: 37.5 });
    expect(scoreOf(measures(100, 100, 50, 100), EQUAL, 89)).toMatchObject({ score: 87.5, deduction: 0 });
  });
});

test('where nothing was measured of the data, only what speaks against them makes a score', () => {
  expect(scoreOf(measures(null, null, 100, 100), EQUAL).score).toBeNull();
  expect(scoreOf(measures(null, null, 80, 100), EQUAL).score).toBe(90);
  expect(scoreOf(measures(null, null, 100, 0), EQUAL).score).toBe(50);
  expect(scoreOf(measures(0, null, 100, 100), EQUAL).score).toBeCloseTo(66.67, 1);
  expect(scoreOf(measures(null, 100, 100, null), EQUAL).score).toBe(100);
});

describe('the explanation of a change', () => {
  const partsOf = (all: readonly ScoreMeasure[], weights = EQUAL): readonly ScorePart[] => scoreOf(all, weights).parts;

  test('names what fell', () => {
    // 100 -> 70: completeness 100 -> 80 takes 5, timeliness 100 -> 0 takes 25.
    const changes = explainChange(partsOf(measures(100, 100, 100, 100)), partsOf(measures(80, 100, 100, 0)));
    expect(changes.map(({ difference }) => difference)).toEqual([-5, 0, 0, -25]);
    expect(changes.map(({ of_weight }) => of_weight)).toEqual([0, 0, 0, 0]);
  });

  test('distinguishes weights from values', () => {
    // Completeness: 0.25 * 80 = 20 -> 0.5 * 60 = 30. Value: -20 * 0.375 = -7.5; weight: 0.25 * 70 = 17.5.
    const weights = { completeness: 3, accuracy: 1, consistency: 1, timeliness: 1 };
    const [completeness] = explainChange(partsOf(measures(80, 100, 100, 100)), partsOf(measures(60, 100, 100, 100), weights));
    expect(completeness?.difference).toBeCloseTo(10, 10);
    expect(completeness?.of_value).toBeCloseTo(-7.5, 10);
    expect(completeness?.of_weight).toBeCloseTo(17.5, 10);
  });

  test('a dimension that becomes known comes with its weight', () => {
    const [completeness, ...others] = explainChange(partsOf(measures(null, 100, 100, 100)), partsOf(measures(60, 100, 100, 100)));
    expect(completeness).toEqual({ dimension: 'completeness', difference: 15, of_value: 0, of_weight: 15 });
    expect(others.reduce((sum, { difference }) => sum + difference, 15)).toBeCloseTo(-10, 10);
  });
});

/**
 * The service as the benchmark sees it: each row is a scan of a metric that somebody defined, evaluated with the history that the service reads and what it
 * kept of the series. The first alarm of an episode is news; an episode lasts a day, or until something more surprising comes.
 */
import type { Monitor } from '@sextant/contracts-observability';
import type { SeriesPoint } from '../bands/band.ts';
import { FAMILY_ALARM_CHANCE } from '../bands/learned/tail.ts';
import { evaluate } from '../evaluation/evaluate.ts';
import type { Detector } from './detectors.ts';

/** Of an evaluation. */
const SCANS_READ = 1000;
const EPISODE_MS = 86_400_000;
/** Where the band of one series ends. */
export const ALARM_SCORE = -Math.log10(FAMILY_ALARM_CHANCE);
const SERIES = { metric_name: 'CUSTOM', metric_aggregation: 'value', attribute: null, segment: null, monitor_id: '1' } as const;
const MONITOR: Monitor = {
  id: '1',
  asset_id: 'a',
  type: 'METRIC',
  name: 'series',
  enabled: true,
  description: null,
  impact: null,
  tags: null,
  created_by: '',
  created_at: '',
  modified_by: '',
  modified_at: '',
  monitor: { expression: 'value', options: { ignore_nulls: false }, raw_sql: false },
  threshold: { threshold_type: 'ML', threshold1: null, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 },
  notification: null,
  ticketing: null,
};

export type Judged = { readonly isViolation: boolean; readonly score: number; readonly band: readonly [number | null, number | null] };

/** Judges the next value of a series as a scan does. */
export function productJudge(): (timeMs: number, value: number) => Judged {
  const history: SeriesPoint[] = [];
  let kept: Uint8Array | undefined;
  return (timeMs, value) => {
    const { points } = evaluate({
      monitors: [MONITOR],
      points: [{ ...SERIES, value }],
      metricTimeMs: timeMs,
      schemaChanges: [],
      samples: [],
      historyOf: () => history,
      memoryOf: () => ({
        kept,
        keep: (state) => {
          kept = state;
        },
      }),
      previousSeries: history.length === 0 ? [] : [SERIES],
      parents: [],
    });
    history.push({ timeMs, value, isExcluded: false });
    if (history.length > SCANS_READ) history.shift();
    const [point] = points;
    return {
      isViolation: point?.is_violation ?? false,
      score: point?.surprise?.score ?? 0,
      band: [point?.lower_bound ?? null, point?.upper_bound ?? null],
    };
  };
}

export const productDetector: Detector = {
  name: 'learned',
  begin: () => {
    const judge = productJudge();
    const episode = newsOfEpisodes(EPISODE_MS);
    return (timeMs, value) => {
      const { isViolation, score } = judge(timeMs, value);
      // What the tolerance lets pass is no alarm, however rare it is.
      return episode(timeMs, isViolation ? Math.max(ALARM_SCORE, score) : Math.min(score, ALARM_SCORE * (1 - Number.EPSILON)));
    };
  },
};

/** Passes on the scores that exceed all of the last `lengthMs`, and 0 for the others. */
export function newsOfEpisodes(lengthMs: number): (timeMs: number, score: number) => number {
  /** Falling scores with their times; the first is the highest of the episode. */
  let standing: { readonly timeMs: number; readonly score: number }[] = [];
  return (timeMs, score) => {
    standing = standing.filter((earlier) => earlier.timeMs >= timeMs - lengthMs);
    const highest = standing[0]?.score ?? 0;
    standing = [...standing.filter((earlier) => earlier.score > score), { timeMs, score }];
    return score > highest ? score : 0;
  };
}

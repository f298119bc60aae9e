// SPDX-License-Identifier: Apache-2.0
/**
 * Which incidents of one scan have one cause: a column that was renamed or changed its type, numbers in another unit, rows of one segment, an asset
 * upstream. An incident is an effect where at least half of its alerts are about what the cause is about; causes are ordered by what can bring about what.
 */
import type { IncidentEvidence, IncidentMetric } from '@sextant/contracts-observability';
import type { RaisedAlert } from './alerts.ts';

export type CauseCandidate = {
  readonly id: number;
  /** Whether it began or came back with this scan: those that go on keep the cause that they had. */
  readonly isFresh: boolean;
  /** Its own cause, where one is known. */
  readonly rootId: number | undefined;
  readonly alerts: readonly Pick<RaisedAlert, 'metric' | 'segment' | 'description' | 'priority' | 'policy_name'>[];
  readonly evidence: readonly IncidentEvidence[];
};

/** An open incident of an asset that feeds this one. */
export type UpstreamIncident = {
  readonly id: number;
  readonly assetId: string;
  /** Whether this asset is made of its asset without another between. */
  readonly isParent: boolean;
  readonly rootId: number | undefined;
  readonly assetName: string;
  readonly policyName: string;
  readonly metrics: readonly Pick<IncidentMetric, 'metric_name' | 'attribute'>[];
};

/** From a column of this asset over those it is made of to one upstream, nearest first. */
export type ColumnPath = readonly { readonly assetId: string; readonly assetName: string; readonly attribute: string }[];

/** By columns of this asset: all that they are made of. Of one that is missing it is unknown. */
export type ColumnPaths = ReadonlyMap<string, readonly ColumnPath[]>;

export type CommonCause = { readonly root_id: number; readonly reason: string };

const RANKS: readonly (readonly string[])[] = [
  ['SCHEMA'],
  ['RECORD_COUNT', 'FRESHNESS'],
  ['COMPLETENESS', 'NULL_PERCENTAGE', 'EMPTY_PERCENTAGE'],
  ['MIN', 'MAX', 'MEAN', 'MEDIAN', 'STDDEV', 'QUANTILE'],
  ['PATTERN', 'LENGTH', 'LETTER_COUNT', 'DIGIT_COUNT', 'SPACE_COUNT', 'SPECIAL_CHARACTER_COUNT'],
  ['VALUE_DISTRIBUTION', 'TOP_VALUE'],
];
/** Of an effect's alerts that share a topic with the cause. */
const SHARE_MIN = 0.5;
/** Of the failed rows (or the missing ones) that a segment must have to be what is wrong. */
const SEGMENT_SHARE_MIN = 0.9;
const SEGMENT_LIFT_MIN = 1.5;
/** What a whole asset passes on to those that are made of it. */
const INHERITED: ReadonlySet<string> = new Set(['RECORD_COUNT', 'FRESHNESS', 'DATA_PROCESS_FAILURE']);

/** By incident that is an effect; the others are causes, or stand alone. */
export function commonCauses(
  candidates: readonly CauseCandidate[],
  upstream: readonly UpstreamIncident[],
  columns: ColumnPaths = new Map(),
): ReadonlyMap<number, CommonCause> {
  const renamed = renamesIn(candidates);
  const ordered = candidates
    .map((candidate) => ({
      ...candidate,
      rank: rankOf(candidate),
      topics: candidate.alerts.map((alert) => topicsOf(alert, candidate, renamed)),
    }))
    .toSorted((one, other) => one.rank - other.rank || Number(one.isFresh) - Number(other.isFresh) || one.id - other.id);
  const causes = new Map<number, CommonCause>();
  ordered.forEach((effect, index) => {
    if (!effect.isFresh) return;
    const cause = fromUpstream(effect, upstream, columns) ?? fromSameScan(effect, ordered.slice(0, index), causes);
    if (cause !== undefined) causes.set(effect.id, cause);
  });
  return causes;
}

type Ordered = CauseCandidate & { readonly rank: number; readonly topics: readonly (readonly string[])[] };

function fromUpstream({ alerts }: Ordered, upstream: readonly UpstreamIncident[], columns: ColumnPaths): CommonCause | undefined {
  for (const incident of upstream) {
    const ways = alerts.map(({ metric }) => wayFrom(incident, metric, columns));
    const passed = ways.filter((way) => way !== undefined);
    if (alerts.length === 0 || passed.length < SHARE_MIN * alerts.length) continue;
    const { id, rootId, assetName, policyName } = incident;
    const path = passed.find((way) => way !== 'same name');
    const reason =
      path === undefined
        ? `\`${assetName}\`, which this asset is made of, has an open incident of "${policyName}" about the same`
        : `${pathText(path)}, and \`${assetName}\` has an open incident of "${policyName}" about \`${path.at(-1)?.attribute}\``;
    return { root_id: rootId ?? id, reason };
  }
  return undefined;
}

type Way = 'same name' | ColumnPath;

/** How an alert comes from an incident upstream: by its columns where they are known, else by a column of the same name in a parent. */
function wayFrom(
  { assetId, isParent, metrics }: UpstreamIncident,
  { metric_name, attribute }: CauseCandidate['alerts'][number]['metric'],
  columns: ColumnPaths,
): Way | undefined {
  if (attribute === null) {
    const isInherited = isParent && INHERITED.has(metric_name) && metrics.some((metric) => INHERITED.has(metric.metric_name));
    return isInherited ? 'same name' : undefined;
  }
  const known = columns.get(attribute);
  if (known === undefined) return isParent && metrics.some((metric) => metric.attribute === attribute) ? 'same name' : undefined;
  return known.find((path) => {
    const end = path.at(-1);
    return end?.assetId === assetId && metrics.some((metric) => metric.attribute === end.attribute);
  });
}

/** "`total` comes from `clean.amount`, that from `orders.price`". */
function pathText([own, ...sources]: ColumnPath): string {
  const places = sources.map(({ assetName, attribute }) => `\`${assetName}.${attribute}\``);
  return `\`${own?.attribute}\` comes from ${places.join(', that from ')}`;
}

function fromSameScan(effect: Ordered, before: readonly Ordered[], causes: ReadonlyMap<number, CommonCause>): CommonCause | undefined {
  for (const root of before) {
    const known = new Set(root.topics.flat());
    const shared = effect.topics.filter((topics) => topics.some((topic) => known.has(topic)));
    if (shared.length === 0 || shared.length < SHARE_MIN * effect.topics.length) continue;
    const topic = shared.flat().find((each) => known.has(each));
    return { root_id: causes.get(root.id)?.root_id ?? root.rootId ?? root.id, reason: reasonOf(root, topic ?? '') };
  }
  return undefined;
}

function rankOf({ alerts }: CauseCandidate): number {
  const ranks = alerts.map(({ metric }) => RANKS.findIndex((names) => names.includes(metric.metric_name)));
  return Math.min(...ranks.map((rank) => (rank < 0 ? RANKS.length : rank)));
}

/** Old names by new ones. */
function renamesIn(candidates: readonly CauseCandidate[]): ReadonlyMap<string, string> {
  return new Map(
    candidates.flatMap(({ evidence }) =>
      evidence.flatMap((each) => (each.kind === 'SCHEMA' ? each.renames.map(({ before, after }) => [after, before] as const) : [])),
    ),
  );
}

/** What an alert is about: a column, under its old name, and rows of a segment. */
function topicsOf(
  { metric, segment }: CauseCandidate['alerts'][number],
  { evidence }: CauseCandidate,
  renamed: ReadonlyMap<string, string>,
): readonly string[] {
  const columns = metric.attribute === null ? [] : [columnTopic(renamed.get(metric.attribute) ?? metric.attribute)];
  const segments = segment === '' ? [] : [`rows ${segment}`];
  const found = evidence.flatMap((each): readonly string[] => {
    if (each.kind === 'RULE' && each.rule === metric.rule) {
      return each.segments
        .filter(({ failed, lift }) => failed >= SEGMENT_SHARE_MIN * each.failed && lift >= SEGMENT_LIFT_MIN)
        .map(({ attribute, value }) => `rows ${attribute}=${value ?? '__null__'}`);
    }
    if (each.kind === 'VOLUME' && metric.metric_name === 'RECORD_COUNT' && each.before !== null) {
      const change = each.after - each.before;
      return each.segments
        .filter((part) => (part.after - part.before) / change >= SEGMENT_SHARE_MIN)
        .flatMap((part) => [`rows ${part.attribute}=${part.value}`, columnTopic(part.attribute)]);
    }
    return [];
  });
  return [...columns, ...segments, ...found];
}

function columnTopic(name: string): string {
  return `column ${name}`;
}

function reasonOf({ evidence, alerts, topics }: Ordered, topic: string): string {
  if (topic.startsWith('rows ')) return `the rows at fault are the same: ${topic.slice('rows '.length)}`;
  const column = topic.slice('column '.length);
  for (const each of evidence) {
    if (each.kind === 'DISTRIBUTION' && each.attribute === column && each.factor !== null)
      return `the unit of \`${column}\` may have changed`;
    const rename = each.kind === 'SCHEMA' ? each.renames.find(({ before }) => before === column) : undefined;
    if (rename !== undefined) return `\`${rename.before}\` was likely renamed to \`${rename.after}\``;
  }
  const alert = alerts[topics.findIndex((own) => own.includes(topic))];
  const sentence = alert === undefined ? undefined : alert.description[alert.priority]?.[0];
  return sentence ?? `it is about the same column, \`${column}\``;
}

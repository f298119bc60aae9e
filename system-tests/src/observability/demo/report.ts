// SPDX-License-Identifier: Apache-2.0
/** A survey as text for people. */
import type { DataType, MetricHistoryItem, RowSample } from '@sextant/contracts-observability';
import type { Survey } from './survey.ts';

const LABEL_WIDTH = 16;
const LINE_WIDTH = 120;
const ATTRIBUTES_SHOWN = 4;
const FREQUENT_SHOWN = 2;
const ROWS_SHOWN = 3;
const MEMBERS_SHOWN = 4;

export function reportOf(survey: Survey): string {
  const { dataSet, found, attributes, bytes, uploadSeconds, scanSeconds } = survey;
  const rows = number(found.value('RECORD_COUNT'));
  const heading = `${dataSet.name} (${dataSet.file}, ${number(bytes / 1024)} KiB): ${rows} rows x ${attributes.length} columns`;
  const lines = [
    ['', `uploaded in ${seconds(uploadSeconds)}, scanned in ${seconds(scanSeconds)}: ${number(found.points.length)} values measured`],
    ['completeness', `${percent(found.value('COMPLETENESS'))}${least(survey, 'COMPLETENESS')}`],
    ['uniqueness', uniqueness(survey)],
    ['freshness', freshness(survey)],
    ...segments(survey).map((text) => ['segments', text] as const),
    ['schema', attributes.map(({ name, data_type }) => `${name} ${typeWord(data_type)}`).join(', ')],
    ...notable(survey).map((text, index) => [index === 0 ? 'notable' : '', text] as const),
    ['personal data', personalData(survey)],
    ['rule', `${dataSet.rule.name}: ${percent(correctness(survey))} of rows`],
    ...survey.failing.slice(0, ROWS_SHOWN).map((sample) => ['', `fails ${rowText(sample)}`] as const),
  ] as const;
  return [heading, ...lines.map(([label, text]) => clip(`  ${label.padEnd(LABEL_WIDTH)}${text}`))].join('\n');
}

/** The share of rows that keep the rule, 0 to 100. */
export function correctness({ found, ruleId }: Pick<Survey, 'found' | 'ruleId'>): number | null {
  const whole = found.points.filter(
    ({ metric_name, monitor_id, segment }) => metric_name === 'CORRECTNESS' && monitor_id === ruleId && segment === null,
  );
  return whole[0]?.value ?? null;
}

/** The attributes with the lowest values. */
function least({ found }: Survey, metric: 'COMPLETENESS' | 'UNIQUENESS'): string {
  const imperfect = ofAttributes(found.points, metric)
    .filter(({ value }) => value !== null && value < 100)
    .toSorted((a, b) => Number(a.value) - Number(b.value))
    .slice(0, ATTRIBUTES_SHOWN);
  return imperfect.length === 0 ? '' : `; least ${imperfect.map(({ attribute, value }) => `${attribute} ${percent(value)}`).join(', ')}`;
}

function uniqueness(survey: Survey): string {
  const ids = survey.dataSet.options?.id_attributes;
  if (ids === undefined) return `no id named${least(survey, 'UNIQUENESS')}`;
  const [ofRecords] = survey.found.find('UNIQUENESS', {});
  return `${percent(ofRecords?.value ?? null)} of the record id (${ids.join(', ')})`;
}

function freshness({ found }: Survey): string {
  const ages = found.points.filter(({ metric_name, segment }) => metric_name === 'FRESHNESS' && segment === null);
  const texts = ages.map(({ attribute, value }) => `${attribute === null ? 'the file' : `the newest ${attribute}`} is ${age(value)} old`);
  return texts.join(', ') || 'not known';
}

function segments({ found }: Survey): readonly string[] {
  const counts = found.points.filter(({ metric_name, segment }) => metric_name === 'RECORD_COUNT' && segment !== null);
  return counts.length === 0 ? [] : [counts.map(({ segment, value }) => `${segment} ${number(value)} rows`).join(', ')];
}

/** The ranges of numbers and times, and the most frequent values of texts. */
function notable(survey: Survey): readonly string[] {
  return [...ranges(survey), ...frequentValues(survey)];
}

function ranges({ found, attributes }: Survey): readonly string[] {
  const types = new Map(attributes.map(({ name, data_type }) => [name, data_type]));
  return ofAttributes(found.points, 'MEAN')
    .slice(0, ATTRIBUTES_SHOWN)
    .map(({ attribute, value }) => {
      const isTime = ['DATE', 'TIMESTAMP'].includes(types.get(attribute ?? '') ?? '');
      const [min] = found.find('MIN', { attribute });
      const [max] = found.find('MAX', { attribute });
      const [low, high] = [min?.value ?? null, max?.value ?? null];
      return isTime ? `${attribute} ${day(low)} to ${day(high)}` : `${attribute} ${number(low)} to ${number(high)}, mean ${number(value)}`;
    });
}

function frequentValues({ found }: Survey): readonly string[] {
  const byAttribute = [...Map.groupBy(ofAttributes(found.points, 'TOP_VALUE'), ({ attribute }) => attribute)]
    .map(([attribute, points]) => ({ attribute, points: points.toSorted((a, b) => Number(b.value) - Number(a.value)) }))
    .toSorted((a, b) => Number(b.points[0]?.value) - Number(a.points[0]?.value));
  return byAttribute.slice(0, FREQUENT_SHOWN).map(({ attribute, points }) => {
    const values = points.slice(0, ATTRIBUTES_SHOWN).map(({ metric_aggregation, value }) => `${metric_aggregation} (${number(value)})`);
    return `${attribute}: ${values.join(', ')}`;
  });
}

function personalData({ found }: Survey): string {
  const some = ofAttributes(found.points, 'CONTAINS_PII').filter(({ value }) => value !== null && value > 0);
  return some.length === 0 ? 'none' : some.map(({ attribute, value }) => `${attribute} ${percent(value)}`).join(', ');
}

function ofAttributes(points: readonly MetricHistoryItem[], metric: MetricHistoryItem['metric_name']): readonly MetricHistoryItem[] {
  return points.filter(({ metric_name, attribute, segment }) => metric_name === metric && attribute !== null && segment === null);
}

function rowText({ record_id, row }: RowSample): string {
  const members = Object.entries(row)
    .slice(0, MEMBERS_SHOWN)
    .map(([name, value]) => `${name} ${value}`);
  return `${record_id === null ? '' : `${record_id}: `}${members.join(', ')}`;
}

function typeWord(type: DataType): string {
  return type.toLowerCase();
}

function percent(value: number | null): string {
  return value === null ? 'n/a' : `${value.toFixed(value === 100 || value === 0 ? 0 : 2)} %`;
}

function number(value: number | null): string {
  return value === null ? 'n/a' : value.toLocaleString('en', { maximumFractionDigits: 2 });
}

/** From hours. */
function age(value: number | null): string {
  if (value === null) return 'n/a';
  return value < 48 ? `${number(value)} hours` : `${number(Math.floor(value / 24))} days`;
}

/** From milliseconds since 1970. */
function day(value: number | null): string {
  return value === null ? 'n/a' : new Date(value).toISOString().slice(0, 10);
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

function clip(line: string): string {
  return line.length <= LINE_WIDTH ? line.trimEnd() : `${line.slice(0, LINE_WIDTH - 1)}…`;
}

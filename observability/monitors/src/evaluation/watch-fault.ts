// SPDX-License-Identifier: Apache-2.0
/**
 * Why a monitor of a predefined metric cannot watch what it names: an attribute that is not there, or of which there is no such metric. Asked when the
 * monitor is made, and again of what each scan found.
 */
import type { AssetOptions, Attribute, DataType, MetricName, Monitor } from '@sextant/contracts-observability';
import { unknownName } from '@sextant/foundation-std';
import { isMetricName, traitsOf } from './metric-traits.ts';
import { metricsOf, watchedAttributes, watchedName } from './watch.ts';

/** What is known of the asset: its attributes, in which some options must find theirs. */
export type WatchedSchema = {
  readonly attributes: readonly Pick<Attribute, 'name' | 'data_type'>[];
  readonly options: Pick<AssetOptions, 'id_attributes' | 'timestamp_attribute' | 'only_light_scan'>;
};

const ORDERED: readonly DataType[] = ['INTEGER', 'DECIMAL', 'DATE', 'TIMESTAMP'];
const TEXT: readonly DataType[] = ['STRING'];

/** Types of the attributes of which a scan measures the metric; those that are missing here have it of every type. */
const TYPES: { readonly [Metric in MetricName]?: readonly DataType[] } = {
  MIN: ORDERED,
  MAX: ORDERED,
  MEAN: ORDERED,
  MEDIAN: ORDERED,
  STDDEV: ORDERED,
  QUANTILE: ORDERED,
  LENGTH: TEXT,
  LETTER_COUNT: TEXT,
  DIGIT_COUNT: TEXT,
  SPACE_COUNT: TEXT,
  SPECIAL_CHARACTER_COUNT: TEXT,
  PATTERN: TEXT,
  CONTAINS_PII: TEXT,
};
/** Beside all whose names begin with VECTOR. */
const OF_COLLECTIONS: readonly MetricName[] = ['PAYLOAD_COMPLETENESS', 'INDEX_COVERAGE', 'CENTROID_SHIFT', 'SEARCH_RECALL'];
/** Of the asset as a whole and of no attribute. */
const OF_ASSET_ALONE: readonly string[] = ['RECORD_COUNT', 'RECORD_COUNT_DRIFTS', 'RECORD_COUNT_CORRELATION_DRIFTS', 'CUSTOM'];
const OF_RECORD_ID: readonly string[] = ['RECORD_ID_UNIQUENESS_DRIFTS', 'UNIQUENESS', 'DUPLICATE_COUNT'];
const OF_TIMESTAMP: readonly string[] = ['FRESHNESS', 'FRESHNESS_DRIFTS'];

/** Of a table or file; undefined where nothing is wrong. */
export function watchFault(monitor: Pick<Monitor, 'type' | 'monitor'>, { attributes, options }: WatchedSchema): string | undefined {
  if (monitor.type !== 'PREDEFINED_METRIC') return undefined;
  const name = watchedName(monitor);
  if (isMetricName(name) && isOfCollections(name)) return `${name} is measured of vector collections, not of tables and files`;
  const known = attributes.map((attribute) => attribute.name);
  const missing = (wanted: readonly string[]) => wanted.find((attribute) => !known.includes(attribute));
  const wanted = [...watchedAttributes(monitor)];
  const gone = missing(wanted);
  if (gone !== undefined) return unknownName('attribute of the asset', gone, known);
  const [first] = wanted;
  if (first !== undefined && OF_ASSET_ALONE.includes(name)) return `${name} is of the asset as a whole, not of ${first}`;
  if (OF_RECORD_ID.includes(name) && wanted.length === 0) {
    const id = missing(options.id_attributes ?? []);
    if (id !== undefined) return `of the record id, ${unknownName('attribute of the asset', id, known)}`;
  }
  if (OF_TIMESTAMP.includes(name)) return timestampFault(wanted, known, options);
  return typeFault(name, wanted, attributes);
}

function timestampFault(
  wanted: readonly string[],
  known: readonly string[],
  { timestamp_attribute: dated }: WatchedSchema['options'],
): string | undefined {
  if (dated !== undefined && !known.includes(dated))
    return `of the timestamp attribute, ${unknownName('attribute of the asset', dated, known)}`;
  const other = wanted.find((attribute) => attribute !== dated);
  if (other === undefined) return undefined;
  return `the age of ${other} is not measured: ${dated === undefined ? 'the asset has no timestamp attribute' : `its timestamp attribute is ${dated}`}`;
}

function typeFault(name: string, wanted: readonly string[], attributes: WatchedSchema['attributes']): string | undefined {
  const metrics = metricsOf(name).filter((metric) => !isOfCollections(metric));
  const types = metrics.flatMap((metric) => TYPES[metric] ?? []);
  if (metrics.length === 0 || metrics.some((metric) => TYPES[metric] === undefined)) return undefined;
  const unfit = attributes.find((attribute) => wanted.includes(attribute.name) && !types.includes(attribute.data_type));
  if (unfit === undefined) return undefined;
  const what = isMetricName(name) ? traitsOf(name, '').words : name;
  return `${unfit.name} is of type ${unfit.data_type}, of which there is no ${what}; it needs ${[...new Set(types)].join(', ')}`;
}

/** Measured of vector collections and of tables. */
const OF_BOTH: readonly MetricName[] = ['RECORD_COUNT', 'COMPLETENESS', 'SCHEMA'];

/** Of a vector collection, whose payload members are not fixed: a metric that no scan of one measures. */
export function collectionFault(monitor: Pick<Monitor, 'type' | 'monitor'>): string | undefined {
  const name = watchedName(monitor);
  if (monitor.type !== 'PREDEFINED_METRIC' || !isMetricName(name) || OF_BOTH.includes(name) || isOfCollections(name)) return undefined;
  return `${name} is measured of tables and files, not of vector collections`;
}

function isOfCollections(name: MetricName): boolean {
  return name.startsWith('VECTOR_') || OF_COLLECTIONS.includes(name);
}

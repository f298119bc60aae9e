// SPDX-License-Identifier: Apache-2.0
/** A monitor in a few words, for lists. */
import type { Monitor } from '@sextant/sdk';
import { metricKind } from '../../data/metrics/metric-kinds.ts';
import { scoreText } from '../../ui/figures.ts';

const ATTRIBUTES_MAX = 3;

export function watchText({ monitor, description }: Pick<Monitor, 'monitor' | 'description'>): string {
  if (description !== null && description !== '') return description;
  if (!('predefined_metric' in monitor)) return monitor.expression;
  const { predefined_metric: metric, attributes } = monitor;
  const sentence = metricKind(metric)?.sentence ?? metric;
  if (attributes.length === 0) return sentence;
  const rest = attributes.length - ATTRIBUTES_MAX;
  return `${sentence} Of ${attributes.slice(0, ATTRIBUTES_MAX).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

export function bandText({ threshold_type: type, threshold1: lower, threshold2: upper }: Monitor['threshold']): string {
  if (type === 'ML') return 'learned';
  const unit = type === 'RELATIVE' ? ' %' : '';
  const text = (bound: number) => `${type === 'RELATIVE' && bound > 0 ? '+' : ''}${scoreText(bound)}${unit}`;
  if (lower === null) return upper === null ? '–' : `≤ ${text(upper)}`;
  return upper === null ? `≥ ${text(lower)}` : `${text(lower)} – ${text(upper)}`;
}

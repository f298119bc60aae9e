// SPDX-License-Identifier: Apache-2.0
import { Tooltip } from '@mantine/core';
import { timeText } from '../../data/metrics/series.ts';
import { scoreText } from '../../ui/figures.ts';
import type { AttributeProfile, FrequentValue, Quantiles } from './attribute-profile.ts';

const WIDTH = 120;
const HEIGHT = 20;
const BARS = 10;
const INK = 'var(--mantine-color-chart-5)';

type DistributionProps = { readonly profile: AttributeProfile; readonly isTime: boolean };

/** How the values of an attribute lie: numbers from least to greatest with their middle half, others by how frequent they are. */
export function Distribution({ profile, isTime }: DistributionProps) {
  if (profile.quantiles !== null && profile.quantiles.max > profile.quantiles.min)
    return <Box quantiles={profile.quantiles} text={isTime ? timeText : scoreText} />;
  return profile.frequent.length === 0 ? null : <Bars frequent={profile.frequent} distinct={profile.distinct} />;
}

type BoxProps = { readonly quantiles: Quantiles; readonly text: (value: number) => string };

/** Beyond the outer marks lie 5 % of the values on each side. */
function Box({ quantiles: { min, p05, p25, median, p75, p95, max }, text }: BoxProps) {
  const x = (value: number) => 2 + ((value - min) / (max - min)) * (WIDTH - 4);
  const middle = HEIGHT / 2;
  const words = `from ${text(min)} to ${text(max)}, half of the values from ${text(p25)} to ${text(p75)}, median ${text(median)}`;
  return (
    <Tooltip label={words}>
      <svg width={WIDTH} height={HEIGHT} role="img" aria-label={words} style={{ display: 'block' }}>
        <line x1={x(min)} x2={x(max)} y1={middle} y2={middle} stroke={INK} strokeOpacity={0.35} />
        <line x1={x(p05)} x2={x(p95)} y1={middle} y2={middle} stroke={INK} strokeWidth={2} />
        <rect x={x(p25)} width={Math.max(2, x(p75) - x(p25))} y={4} height={HEIGHT - 8} rx={2} fill={INK} fillOpacity={0.55} />
        <line x1={x(median)} x2={x(median)} y1={2} y2={HEIGHT - 2} stroke="var(--mantine-color-text)" strokeWidth={1.5} />
      </svg>
    </Tooltip>
  );
}

type BarsProps = { readonly frequent: readonly FrequentValue[]; readonly distinct: number | null };

function Bars({ frequent, distinct }: BarsProps) {
  const shown = frequent.slice(0, BARS);
  const most = shown[0]?.percent ?? 1;
  const width = (WIDTH - 2) / Math.max(shown.length, 4);
  const words = shown
    .slice(0, 5)
    .map(({ value, percent }) => `${value === '' ? 'empty text' : value} ${scoreText(Number(percent.toPrecision(3)))} %`);
  const more = distinct !== null && distinct > words.length ? [`and ${scoreText(distinct - words.length)} more`] : [];
  return (
    <Tooltip label={[...words, ...more].join(', ')} multiline maw={360}>
      <svg
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={`Most frequent: ${[...words, ...more].join(', ')}`}
        style={{ display: 'block' }}
      >
        {shown.map(({ value, percent }, index) => {
          const height = Math.max(2, (percent / most) * (HEIGHT - 2));
          return (
            <rect
              key={value}
              x={1 + index * width}
              width={Math.max(2, width - 2)}
              y={HEIGHT - height}
              height={height}
              rx={1}
              fill={INK}
              fillOpacity={0.7}
            />
          );
        })}
      </svg>
    </Tooltip>
  );
}

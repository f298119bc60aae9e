// SPDX-License-Identifier: Apache-2.0
type SparklineProps = {
  readonly values: readonly number[];
  readonly min: number;
  readonly max: number;
  /** What it shows, for those who do not see it. */
  readonly label: string;
};

const WIDTH = 64;
const HEIGHT = 18;
const EDGE = 2;

/** A line as small as a word. */
export function Sparkline({ values, min, max, label }: SparklineProps) {
  const reach = max - min || 1;
  const x = (index: number) => EDGE + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number) => HEIGHT - EDGE - ((value - min) / reach) * (HEIGHT - 2 * EDGE);
  const last = values.at(-1);
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} style={{ display: 'block', flexShrink: 0 }}>
      <polyline
        points={values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
        fill="none"
        stroke="var(--mantine-color-chart-5)"
        strokeWidth={1.5}
      />
      {last !== undefined && <circle cx={x(values.length - 1)} cy={y(last)} r={2} fill="var(--mantine-color-chart-5)" />}
    </svg>
  );
}

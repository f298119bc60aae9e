// SPDX-License-Identifier: Apache-2.0
/** Times and durations as text; the exact time is shown on hover. */
import { Tooltip } from '@mantine/core';

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the zone of the viewer, in UTC when one points at it. */
export function Moment({ at }: { readonly at: string | number }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <>{String(at)}</>;
  return (
    <Tooltip label={`${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`}>
      <time dateTime={date.toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {local.format(date)}
      </time>
    </Tooltip>
  );
}

const UNITS = [
  { ms: 86_400_000, sign: 'd' },
  { ms: 3_600_000, sign: 'h' },
  { ms: 60_000, sign: 'min' },
  { ms: 1_000, sign: 's' },
] as const;

/** A duration by its largest unit: `3 h`. */
export function durationText(ms: number): string {
  const unit = UNITS.find((each) => ms >= each.ms) ?? { ms: 1_000, sign: 's' };
  return `${Math.floor(Math.max(0, ms) / unit.ms)} ${unit.sign}`;
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** How long ago something was; the time itself, in the zone of the viewer and in UTC, when one points at it. */
export function Age({ at, nowMs }: { readonly at: string | number; readonly nowMs: number }) {
  const date = new Date(at);
  const utc = date.toISOString().replace('T', ' ').slice(0, 19);
  return (
    <Tooltip label={`${exact.format(date)} (${utc} UTC)`}>
      <time dateTime={date.toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {durationText(nowMs - date.getTime())}
      </time>
    </Tooltip>
  );
}

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

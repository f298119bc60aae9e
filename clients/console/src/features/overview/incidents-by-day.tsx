// SPDX-License-Identifier: Apache-2.0
import { Group, Skeleton, Text, Tooltip } from '@mantine/core';
import { systemClock } from '@sextant/foundation-std';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { incidentsByDay } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import classes from './incidents-by-day.module.css';
import { type Day, daysOf, dayText, LEVEL_LABELS, LEVELS, lastDays } from './overview.ts';

/** The incidents that began on each of the last days, stacked by impact. A day leads to its incidents. */
export function IncidentsByDay() {
  const { observability } = useServices();
  const period = lastDays(systemClock.nowMs());
  const days = useQuery({ ...incidentsByDay(observability, period), select: daysOf });
  if (days.isError) return <ErrorPanel error={days.error} doing="count the incidents of each day" onRetry={() => void days.refetch()} />;
  if (days.data === undefined) return <Skeleton height={200} />;
  const most = Math.max(2, ...days.data.map(({ total }) => total));
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Dimmed size="xs">{countText(most)}</Dimmed>
        <Group gap="sm">
          {LEVELS.map((level) => (
            <Group key={level} gap={4}>
              <span className={`${classes.swatch} ${classes[level]}`} aria-hidden="true" />
              <Text size="xs">{LEVEL_LABELS[level]}</Text>
            </Group>
          ))}
        </Group>
      </Group>
      <div className={classes.plot}>
        {days.data.map((day) => (
          <DayBar key={day.date} day={day} most={most} />
        ))}
      </div>
      <Group justify="space-between" gap="xs" mt={4}>
        {[days.data.at(0), days.data.at(Math.floor(days.data.length / 2)), days.data.at(-1)].map((day) => (
          <Text key={day?.date} size="xs" c="dimmed">
            {day?.date}
          </Text>
        ))}
      </Group>
    </div>
  );
}

function DayBar({ day, most }: { readonly day: Day; readonly most: number }) {
  if (day.total === 0) return <div className={classes.day} />;
  return (
    <Tooltip label={dayText(day)}>
      <Link to="/incidents" search={{ from: day.date, to: day.date }} className={classes.day} aria-label={dayText(day)}>
        {LEVELS.map((level) => (
          <span key={level} className={classes[level]} style={{ height: `${(100 * day.counts[level]) / most}%` }} />
        ))}
      </Link>
    </Tooltip>
  );
}

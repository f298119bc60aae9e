// SPDX-License-Identifier: Apache-2.0
import { Button, Group, NumberInput, Select, Switch, Text, TextInput } from '@mantine/core';
import { systemClock } from '@sextant/foundation-std';
import type { Asset } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import cronstrue from 'cronstrue';
import { useState } from 'react';
import { refreshAsset } from '../../../data/assets/queries.ts';
import { cronProblem, nextRuns } from '../../../data/assets/schedule.ts';
import { fieldError } from '../../../data/services/field-error.ts';
import { useServices } from '../../../data/services/services.ts';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { checkField, textField } from '../../../ui/fields.ts';
import { Form } from '../../../ui/form.tsx';
import { Moment } from '../../../ui/time.tsx';
import { FormFoot } from './form-foot.tsx';

const NEXT = 3;
const USUAL = '0 6 * * *';
const FREQUENT = [
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 */4 * * *', label: 'Every four hours' },
  { value: USUAL, label: 'Every day at 06:00 UTC' },
  { value: '0 6 * * 1-5', label: 'Mondays to Fridays at 06:00 UTC' },
  { value: '0 6 * * 1', label: 'Mondays at 06:00 UTC' },
];

/** When the asset is scanned by itself. */
export function ScheduleForm({ asset }: { readonly asset: Asset }) {
  const { observability } = useServices();
  const current = asset.scheduled_upload ?? null;
  const [cron, setCron] = useState(current?.schedule ?? USUAL);
  const [isOn, setIsOn] = useState(current?.enabled ?? true);
  const [isDelta, setIsDelta] = useState(current?.delta_only ?? false);
  const [sample, setSample] = useState<number | string>(current?.sample_fraction ?? '');
  const place = { project_id: asset.project_id, asset_id: asset.id };
  const refresh = () => refreshAsset(asset.id);
  const saving = useMutation({
    mutationFn: () =>
      observability.putSchedule({
        ...place,
        schedule: cron.trim(),
        enabled: isOn,
        delta_only: isDelta,
        skip_investigator: current?.skip_investigator ?? false,
        sample_fraction: typeof sample === 'number' ? sample : null,
        timestamp_attribute: current?.timestamp_attribute ?? null,
      }),
    onSuccess: refresh,
  });
  const removal = useMutation({ mutationFn: () => observability.deleteSchedule(place), onSuccess: refresh });
  const problem = cronProblem(cron.trim());
  const submit = () => {
    if (problem === undefined) saving.mutate();
  };
  return (
    <Form onSubmit={submit}>
      {current === null && <Dimmed>No schedule: the asset is scanned only on request.</Dimmed>}
      <Group gap="sm" align="start" grow preventGrowOverflow={false}>
        <TextInput
          label="Cron expression"
          description="Minute, hour, day, month and weekday, in UTC"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...textField(cron, setCron)}
          error={fieldError(saving.error, 'schedule') ?? problem}
          miw={200}
        />
        <Select
          label="Examples"
          description="Choose one to fill in the expression"
          placeholder="Choose"
          data={FREQUENT}
          value={FREQUENT.some(({ value }) => value === cron.trim()) ? cron.trim() : null}
          onChange={(chosen) => chosen !== null && setCron(chosen)}
          miw={200}
        />
      </Group>
      {problem === undefined && <NextRuns cron={cron.trim()} />}
      <Switch label="On" {...checkField(isOn, setIsOn)} />
      <Switch
        label="Only records newer than the last scan"
        description="Needs a record timestamp in the scan options"
        {...checkField(isDelta, setIsDelta)}
      />
      <NumberInput
        label="Sample"
        description="Share of the rows that scans read, in percent; leave empty for all rows"
        value={sample}
        onChange={setSample}
        min={0}
        max={100}
        suffix=" %"
        maw={200}
        error={fieldError(saving.error, 'sample_fraction')}
      />
      <FormFoot saving={saving} doing="set the schedule">
        {current !== null && (
          <Button variant="default" loading={removal.isPending} onClick={() => removal.mutate()}>
            Remove the schedule
          </Button>
        )}
      </FormFoot>
    </Form>
  );
}

/** An expression in words, and the times that it means. */
function NextRuns({ cron }: { readonly cron: string }) {
  const [nowMs] = useState(() => systemClock.nowMs());
  const runs = nextRuns(cron, nowMs, NEXT);
  return (
    <Text size="sm" component="div">
      {cronstrue.toString(cron, { use24HourTimeFormat: true, verbose: true })} (UTC).{' '}
      {runs.length === 0 ? (
        'This expression never matches a date.'
      ) : (
        <>
          Next:{' '}
          {runs.map((at, index) => (
            <span key={at}>
              {index > 0 && ', '}
              <Moment at={at} />
            </span>
          ))}
        </>
      )}
    </Text>
  );
}

// SPDX-License-Identifier: Apache-2.0
import { Button, Group, NumberInput, Progress, Skeleton, Stack, Switch } from '@mantine/core';
import type { Asset, DqScoreConfig } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { refreshScoreConfig, scoreConfig } from '../../../data/scores.ts';
import { fieldError } from '../../../data/services/field-error.ts';
import { useServices } from '../../../data/services/services.ts';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { checkField } from '../../../ui/fields.ts';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from './form-foot.tsx';

const PARTS = [
  { name: 'completeness', sentence: 'share of values that are present' },
  { name: 'accuracy', sentence: 'share of records that pass the rules' },
  { name: 'consistency', sentence: 'fewer open incidents score higher' },
  { name: 'timeliness', sentence: 'whether data arrive on time' },
] as const;

type Weights = DqScoreConfig['weights'];

/** How the score of the asset is weighed. */
export function ScoreForm({ asset }: { readonly asset: Asset }) {
  const { observability } = useServices();
  const config = useQuery(scoreConfig(observability, asset.id));
  if (config.isError)
    return <ErrorPanel error={config.error} doing="read the weights of the score" onRetry={() => void config.refetch()} />;
  if (config.data === undefined) return <Skeleton height={200} />;
  const { dq_score_config: current } = config.data;
  return <WeightsForm key={JSON.stringify(current)} assetId={asset.id} current={current} />;
}

function WeightsForm({ assetId, current }: { readonly assetId: string; readonly current: DqScoreConfig }) {
  const { observability } = useServices();
  const [isOn, setIsOn] = useState(current.enabled);
  const [weights, setWeights] = useState<Weights>(current.weights);
  const refresh = () => refreshScoreConfig(assetId);
  const saving = useMutation({
    mutationFn: () => observability.putDqScore({ asset_id: assetId, enabled: isOn, weights }),
    onSuccess: refresh,
  });
  const reset = useMutation({ mutationFn: () => observability.deleteDqScore({ asset_id: assetId }), onSuccess: refresh });
  const sum = PARTS.reduce((total, { name }) => total + weights[name], 0);
  return (
    <Form onSubmit={() => saving.mutate()}>
      <Switch label="Calculate a score for this asset" {...checkField(isOn, setIsOn)} />
      {PARTS.map(({ name, sentence }) => {
        const share = sum > 0 ? weights[name] / sum : 0;
        return (
          <Group key={name} gap="sm" align="end" wrap="nowrap">
            <NumberInput
              label={`Weight of ${name}`}
              description={sentence}
              value={weights[name]}
              onChange={(value) => setWeights({ ...weights, [name]: typeof value === 'number' ? value : 0 })}
              min={0}
              step={0.05}
              decimalScale={4}
              disabled={!isOn}
              error={fieldError(saving.error, `weights.${name}`)}
              w={260}
            />
            <Stack gap={2} style={{ flex: 1 }} pb={6}>
              <Dimmed size="xs">{(share * 100).toFixed(1)} % of the score</Dimmed>
              <Progress value={share * 100} size="sm" aria-label={`Share of ${name}`} />
            </Stack>
          </Group>
        );
      })}
      <Dimmed size="xs">Weights are divided by their sum, so any scale works. A part that cannot be measured does not count.</Dimmed>
      <FormFoot saving={saving} doing="change the weights">
        <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate()}>
          Reset to the default
        </Button>
      </FormFoot>
    </Form>
  );
}

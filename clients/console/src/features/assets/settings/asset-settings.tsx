// SPDX-License-Identifier: Apache-2.0
import { Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Asset, MetricHistoryItem } from '@sextant/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { forgetAsset } from '../../../data/assets/queries.ts';
import { vectorsAmong } from '../../../data/metrics/series.ts';
import { useServices } from '../../../data/services/services.ts';
import { Confirm, DestructiveButton } from '../../../ui/confirm.tsx';
import { DescriptionForm } from './description-form.tsx';
import { ReadingForm } from './reading-form.tsx';
import { ScanOptionsForm } from './scan-options-form.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { ScoreForm } from './score-form.tsx';

type AssetSettingsProps = { readonly asset: Asset; readonly measured: readonly MetricHistoryItem[] | undefined };

/** Everything about an asset that people decide. Each form is by itself, so that a fault in one keeps nobody from another. */
export function AssetSettings({ asset, measured = [] }: AssetSettingsProps) {
  return (
    <Stack gap="xl" maw={720}>
      <Part title="Name and description">
        <DescriptionForm asset={asset} />
      </Part>
      <Part title="Schedule">
        <ScheduleForm asset={asset} />
      </Part>
      <Part title="Scan options">
        <ScanOptionsForm asset={asset} vectors={vectorsAmong(measured)} />
      </Part>
      {asset.options.reading !== undefined && (
        <Part title="File format">
          <ReadingForm key={JSON.stringify(asset.options.reading)} asset={asset} reading={asset.options.reading} />
        </Part>
      )}
      <Part title="Data quality score">
        <ScoreForm asset={asset} />
      </Part>
      <Part title="Delete">
        <DeleteAsset asset={asset} />
      </Part>
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

function DeleteAsset({ asset }: { readonly asset: Asset }) {
  const { observability } = useServices();
  const navigate = useNavigate();
  const [isAsking, { open, close }] = useDisclosure(false);
  return (
    <>
      <Text size="sm" mb="xs">
        Deletes the asset with its measurements, monitors and incidents. The source data are not deleted.
      </Text>
      <DestructiveButton onClick={open}>Delete {asset.name}</DestructiveButton>
      {isAsking && (
        <Confirm
          title={`Delete ${asset.name}?`}
          verb="Delete"
          doing="delete the asset"
          act={async () => {
            await observability.deleteAsset({ project_id: asset.project_id, asset_id: asset.id });
            await navigate({ to: '/assets' });
            await forgetAsset(asset.id);
          }}
          onClose={close}
        >
          All measurements of the asset are deleted too. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}

// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, Grid, Group, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAssetRows } from '../../data/assets/use-asset-rows.ts';
import { incidentSummary } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { UploadFile } from '../../widgets/upload-file.tsx';
import { IncidentFigures } from './incident-figures.tsx';
import { IncidentsByDay } from './incidents-by-day.tsx';
import { LowestScores } from './lowest-scores.tsx';
import { NewestIncidents } from './newest-incidents.tsx';
import { ScanTroubles } from './scan-troubles.tsx';

/** How things stand: what is open, how long it takes, and what needs a look. */
export function OverviewScreen() {
  const { rows, nowMs, error, retry } = useAssetRows();
  return (
    <Page title="Overview">
      {error !== null && <ErrorPanel error={error} doing="list the assets" onRetry={retry} />}
      {rows === undefined && error === null && <Skeleton height={320} />}
      {rows?.length === 0 && <FirstSteps />}
      {rows !== undefined && rows.length > 0 && (
        <>
          <IncidentFigures />
          <Grid gap="xl">
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Stack gap="xl">
                <Section id="by-day" title="Incidents by day and impact" beside={<Dimmed size="xs">days in UTC</Dimmed>}>
                  <IncidentsByDay />
                </Section>
                <Section id="newest" title="Newest incidents" beside={<All />}>
                  <NewestIncidents />
                </Section>
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Stack gap="xl">
                <Section id="scores" title="Lowest scores">
                  <LowestScores />
                </Section>
                <Section id="scans" title="Scans that need attention">
                  <ScanTroubles rows={rows} nowMs={nowMs} />
                </Section>
                <OpenByTag />
              </Stack>
            </Grid.Col>
          </Grid>
        </>
      )}
    </Page>
  );
}

function All() {
  return <TextLink to="/incidents">All</TextLink>;
}

function FirstSteps() {
  const [isUploading, { open, close }] = useDisclosure(false);
  return (
    <>
      <EmptyState
        title="Nothing is watched yet"
        command="sextant observe assets --help"
        action={
          <Button leftSection={<IconUpload size={14} />} onClick={open}>
            Upload a file
          </Button>
        }
      >
        Upload a file, or connect a source in the settings. The first scan measures the data, later scans learn what is usual, and
        violations are then shown here as incidents.
      </EmptyState>
      {isUploading && <UploadFile onClose={close} />}
    </>
  );
}

/** The tags of open incidents, most first. */
function OpenByTag() {
  const { observability } = useServices();
  const tags = Object.entries(useQuery(incidentSummary(observability)).data?.open_by_tag ?? {}).sort(([, a], [, b]) => b - a);
  if (tags.length === 0) return null;
  return (
    <Section id="tags" title="Open by tag">
      <Group gap="xs">
        {tags.map(([tag, count]) => {
          const label = `${tag} ${countText(count)}`;
          // A list in an address is joined by commas, so a tag that holds one cannot be asked for.
          return tag.includes(',') ? (
            <Badge key={tag} variant="default">
              {label}
            </Badge>
          ) : (
            <Badge
              key={tag}
              variant="default"
              style={{ cursor: 'pointer' }}
              renderRoot={(props) => <Link {...props} to="/incidents" search={{ statuses: 'OPEN', tags: tag }} />}
            >
              {label}
            </Badge>
          );
        })}
      </Group>
    </Section>
  );
}

// SPDX-License-Identifier: Apache-2.0
import { Anchor, Badge, Grid, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { IncidentDetail } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { assetList } from '../../data/assets/queries.ts';
import { incidentActivity, incidentAlerts, incidentDetail } from '../../data/incidents/queries.ts';
import { highlightedMap } from '../../data/points/highlighted-points.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Moment } from '../../ui/time.tsx';
import { Finding } from '../../widgets/finding.tsx';
import { IncidentStatusBadge, LevelBadge } from '../../widgets/incident-badges.tsx';
import { Assignment } from './assignment.tsx';
import { FailedRows } from './failed-rows.tsx';
import { Handling } from './handling.tsx';
import { IncidentAlerts } from './incident-alerts.tsx';
import { IncidentCharts } from './incident-charts.tsx';
import { IncidentTimeline } from './incident-timeline.tsx';
import { RelatedIncidents } from './related-incidents.tsx';
import { SchemaChanges } from './schema-changes.tsx';
import { SimilarIncidents } from './similar-incidents.tsx';
import { Steps } from './steps.tsx';
import { Ticket } from './ticket.tsx';
import { Why } from './why.tsx';

const route = getRouteApi('/members/incidents/$id');

/** One incident: what is out of order, what was done about it, and what can be done. */
export function IncidentScreen() {
  const id = Number(route.useParams().id);
  const { observability } = useServices();
  const incident = useQuery(incidentDetail(observability, id));
  if (incident.isError) {
    return (
      <Page title={`Incident ${id}`}>
        <ErrorPanel error={incident.error} doing="read the incident" onRetry={() => void incident.refetch()} />
      </Page>
    );
  }
  if (incident.data === undefined) return <Skeleton height={320} />;
  return <Incident key={id} incident={incident.data} />;
}

function Incident({ incident }: { readonly incident: IncidentDetail }) {
  const { observability } = useServices();
  const { id, status, kind, alert_policy_name: name } = incident;
  const activity = useQuery(incidentActivity(observability, id));
  const asset = useQuery(assetList(observability)).data?.find((each) => each.id === incident.asset_id);
  const jobId = useQuery(incidentAlerts(observability, incident)).data?.[0]?.job_id;
  const collection =
    asset?.type === 'VECTOR_COLLECTION' && typeof asset.payload.collection === 'string' ? asset.payload.collection : undefined;
  const isAboutSchema = incident.metrics.some(({ metric_name: metric }) => metric === 'SCHEMA');
  return (
    <Page
      title={name}
      beside={
        <>
          <IncidentStatusBadge status={status} kind={kind} />
          {incident.tags.map((tag) => (
            <Badge key={tag} variant="default">
              {tag}
            </Badge>
          ))}
        </>
      }
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Finding text={incident.description} />
      </Text>
      <Group gap="xl">
        <Fact label="Asset">
          <TextLink to={`/assets/${incident.project_id}/${incident.asset_id}`}>{asset?.name ?? incident.asset_id}</TextLink>
        </Fact>
        <Fact label="Impact">
          <LevelBadge level={incident.impact} />
        </Fact>
        <Fact label="Severity">
          <LevelBadge level={incident.severity} />
        </Fact>
        <Fact label="Opened">
          <Moment at={incident.created_time} />
        </Fact>
        <Fact label="Last failed delivery">
          <Moment at={incident.last_upload_timestamp} />
        </Fact>
        {collection !== undefined && jobId !== undefined && (
          <Fact label="Map">
            <Anchor size="sm" renderRoot={(props) => <Link {...props} {...highlightedMap({ collection, jobId })} />}>
              show the faulty points
            </Anchor>
          </Fact>
        )}
      </Group>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Why incident={incident} />
            {isAboutSchema && jobId !== undefined && <SchemaChanges jobId={jobId} />}
            <IncidentCharts incident={incident} />
            <IncidentAlerts incident={incident} />
            {jobId !== undefined && <FailedRows incident={incident} jobId={jobId} isCollection={collection !== undefined} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            {activity.data !== undefined && <Assignment incident={incident} activity={activity.data} />}
            {activity.data !== undefined && <Handling incident={incident} handling={activity.data.handling} />}
            <Steps id={id} status={status} project_id={incident.project_id} />
            <Ticket incident={incident} />
            <Section id="history" title="History">
              {activity.isPending && <Skeleton height={120} />}
              {activity.isError && <ErrorPanel error={activity.error} doing="read the history" onRetry={() => void activity.refetch()} />}
              {activity.data !== undefined && <IncidentTimeline activity={activity.data} />}
            </Section>
            <RelatedIncidents incident={incident} />
            <SimilarIncidents id={id} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <Dimmed size="xs">{label}</Dimmed>
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  );
}

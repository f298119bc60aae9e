import { Anchor, Badge, Button, Code, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Textarea, Timeline, Title } from '@mantine/core';
import type { IncidentDetail } from '@sextant/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ImpactBadge, IncidentStatusBadge } from './badges.tsx';
import { IncidentAlerts } from './incident-alerts.tsx';
import { incidentActivity, incidentDetail } from './queries.ts';

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
  return <Incident incident={incident.data} />;
}

function Incident({ incident }: { readonly incident: IncidentDetail }) {
  const { id, status, alert_policy_name: name } = incident;
  return (
    <Page
      title={name}
      beside={
        <>
          <IncidentStatusBadge status={status} />
          <ImpactBadge impact={incident.impact} />
          {incident.tags.map((tag) => (
            <Badge key={tag} variant="default">
              {tag}
            </Badge>
          ))}
        </>
      }
    >
      <Text size="sm">{incident.description}</Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="lg">
          <Facts incident={incident} />
          <IncidentAlerts incident={incident} />
        </Stack>
        <Stack gap="lg">
          <Steps id={id} status={status} />
          <History incident={incident} />
        </Stack>
      </SimpleGrid>
    </Page>
  );
}

function Facts({ incident }: { readonly incident: IncidentDetail }) {
  return (
    <Paper withBorder p="sm">
      <Group gap="xl">
        <Fact label="Opened">
          <Moment at={incident.created_time} />
        </Fact>
        <Fact label="Last delivery">
          <Moment at={incident.last_upload_timestamp} />
        </Fact>
        <Fact label="Asset">
          <Anchor component={Link} to={`/assets/${incident.project_id}/${incident.asset_id}`} size="sm">
            open
          </Anchor>
        </Fact>
      </Group>
      <Stack gap={4} mt="sm">
        {incident.metrics.map((metric) => (
          <Text key={JSON.stringify(metric)} size="sm">
            {metric.display_metric_name}
            {metric.attribute !== null && (
              <>
                {' of '}
                <Code>{metric.attribute}</Code>
              </>
            )}
            {metric.segment !== null && ` where ${metric.segment}`}
            {metric.rule !== null && ` (${metric.rule})`}
          </Text>
        ))}
      </Stack>
    </Paper>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  );
}

const STATES = { NEW: 'Opened', ONGOING: 'Still out of order', RESOLVED: 'Back in order', REOPENED: 'Opened again' } as const;

function History({ incident }: { readonly incident: IncidentDetail }) {
  return (
    <section aria-labelledby="history">
      <Title order={2} size="h5" mb="sm" id="history">
        History
      </Title>
      <Timeline bulletSize={14} lineWidth={2} active={incident.history.length}>
        {incident.history.map(({ timestamp, state }) => (
          <Timeline.Item key={`${timestamp} ${state}`} title={STATES[state]}>
            <Text size="xs" c="dimmed">
              <Moment at={timestamp} />
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </section>
  );
}

/** Comments, and the end or the new beginning of the incident. */
function Steps({ id, status }: Pick<IncidentDetail, 'id' | 'status'>) {
  const { observability } = useServices();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const activity = useQuery(incidentActivity(observability, id));
  const refresh = async () => {
    setText('');
    await queries.invalidateQueries({ queryKey: ['observability', 'incident', id] });
    await queries.invalidateQueries({ queryKey: ['observability', 'incidents'] });
  };
  const comment = useMutation({ mutationFn: () => observability.createIncidentComment({ incident_id: id, text }), onSuccess: refresh });
  const step = useMutation({
    mutationFn: () => {
      const request = { incident_id: id, ...(text.trim() !== '' && { comment: text.trim() }) };
      return status === 'OPEN' ? observability.closeIncident(request) : observability.reopenIncident(request);
    },
    onSuccess: refresh,
  });
  return (
    <section aria-labelledby="comments">
      <Title order={2} size="h5" mb="sm" id="comments">
        Comments
      </Title>
      {activity.isError && <ErrorPanel error={activity.error} doing="read the comments" />}
      <Stack gap="sm">
        {activity.data?.comments.map((each) => (
          <Paper key={each.id} withBorder p="xs">
            <Text size="xs" c="dimmed">
              {each.author} · <Moment at={each.created_time} />
            </Text>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {each.text}
            </Text>
          </Paper>
        ))}
        <Textarea
          aria-label="Comment"
          placeholder="What was found, what was done"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={2}
        />
        {comment.isError && <ErrorPanel error={comment.error} doing="save the comment" />}
        {step.isError && <ErrorPanel error={step.error} doing={status === 'OPEN' ? 'close the incident' : 'open the incident again'} />}
        <Group gap="xs">
          <Button variant="default" disabled={text.trim() === ''} loading={comment.isPending} onClick={() => comment.mutate()}>
            Comment
          </Button>
          <Button loading={step.isPending} onClick={() => step.mutate()}>
            {status === 'OPEN' ? 'Close the incident' : 'Open it again'}
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

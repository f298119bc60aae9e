import { Anchor, Button, Code, Group, Select, Skeleton, Table, Text } from '@mantine/core';
import type { AuditEntry } from '@sextant/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useServices } from '../../app/services.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { jsonText } from '../../ui/json.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { Moment } from '../../ui/moment.tsx';
import { NeedsRole } from '../session/role.tsx';
import { SettingsPart } from '../settings/settings-part.tsx';
import { auditFilterOf, auditPages, SUBJECTS, wordsOf } from './queries.ts';

const route = getRouteApi('/members/settings/audit');

export function AuditScreen() {
  return (
    <NeedsRole atLeast="admin">
      <AuditTrail />
    </NeedsRole>
  );
}

/** Who did what when. */
function AuditTrail() {
  const { observability } = useServices();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const pages = useInfiniteQuery(auditPages(observability, filter));
  const entries = pages.data?.pages.flat() ?? [];
  return (
    <SettingsPart
      title="Audit trail"
      purpose="Who changed what: incidents, monitors, channels, templates, configurations. Entries are kept for 360 days."
    >
      <Group gap="sm" align="end">
        <Select
          label="About"
          data={Object.entries(SUBJECTS).map(([value, label]) => ({ value, label }))}
          value={filter.subject_type ?? null}
          onChange={(subject_type) => void navigate({ search: auditFilterOf({ subject_type }), replace: true })}
          placeholder="everything"
          clearable
          w={200}
        />
        {filter.subject_id !== undefined && (
          <Button variant="subtle" onClick={() => void navigate({ search: { subject_type: filter.subject_type }, replace: true })}>
            Show all, not {filter.subject_id} alone
          </Button>
        )}
      </Group>
      {pages.isPending && <Skeleton height={240} />}
      {pages.isError && <ErrorPanel error={pages.error} doing="read the audit trail" onRetry={() => void pages.refetch()} />}
      {pages.isSuccess && entries.length === 0 && (
        <EmptyState title={filter.subject_type === undefined ? 'Nobody changed anything yet' : 'Nobody changed anything of that kind'} />
      )}
      {entries.length > 0 && (
        <>
          <Table.ScrollContainer minWidth={640}>
            <Table highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>When</Table.Th>
                  <Table.Th>Who</Table.Th>
                  <Table.Th>What</Table.Th>
                  <Table.Th>Details</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {entries.map((entry) => (
                  <Table.Tr key={entry.id}>
                    <Table.Td style={{ verticalAlign: 'top' }}>
                      <Moment at={entry.timestamp} />
                    </Table.Td>
                    <Table.Td style={{ verticalAlign: 'top', overflowWrap: 'anywhere' }}>{entry.actor}</Table.Td>
                    <Table.Td style={{ verticalAlign: 'top', overflowWrap: 'anywhere' }}>
                      {wordsOf(entry)} <Subject entry={entry} />
                    </Table.Td>
                    <Table.Td style={{ verticalAlign: 'top' }}>
                      {Object.keys(entry.details).length > 0 && (
                        <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
                          {jsonText(entry.details)}
                        </Code>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <LoadMore
            shown={entries.length}
            onMore={pages.hasNextPage ? () => void pages.fetchNextPage() : undefined}
            isLoading={pages.isFetchingNextPage}
          />
        </>
      )}
    </SettingsPart>
  );
}

function Subject({ entry: { subject_type, subject_id } }: { readonly entry: AuditEntry }) {
  if (subject_type === 'INCIDENT') {
    return (
      <Anchor component={Link} to={`/incidents/${subject_id}`} size="sm" underline="always">
        {subject_id}
      </Anchor>
    );
  }
  return (
    <Text span size="sm" fw={500}>
      {subject_id}
    </Text>
  );
}

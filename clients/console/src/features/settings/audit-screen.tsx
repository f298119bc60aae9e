// SPDX-License-Identifier: Apache-2.0
import { Box, Button, Code, Group, Select, Table, Text } from '@mantine/core';
import type { AuditEntry } from '@sextant/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { actionText, auditFilterOf, auditPages, SUBJECTS } from '../../data/audit.ts';
import { useServices } from '../../data/services/services.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { jsonText } from '../../ui/json.ts';
import { ListPart } from '../../ui/list-frame.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Moment } from '../../ui/time.tsx';

const route = getRouteApi('/members/settings/admins/audit');

/** Who did what when. */
export function AuditScreen() {
  const { observability } = useServices();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const pages = useInfiniteQuery(auditPages(observability, filter));
  return (
    <ListPart
      title="Audit trail"
      purpose="Lists who changed incidents, monitors, channels, templates and configurations. Entries are kept for 360 days."
      query={{ ...pages, data: pages.data?.pages.flat() }}
      doing="read the audit trail"
      skeletonPx={240}
      empty={{ title: filter.subject_type === undefined ? 'No changes yet' : 'No changes of this kind' }}
      filters={
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
              Show all, not only {filter.subject_id}
            </Button>
          )}
        </Group>
      }
    >
      {(entries) => (
        <>
          <DataTable
            highlightOnHover
            headings={[{ label: 'When', w: 170 }, { label: 'Who', visibleFrom: 'sm' }, 'What', { label: 'Details', visibleFrom: 'sm' }]}
          >
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </DataTable>
          <LoadMore
            shown={entries.length}
            onMore={pages.hasNextPage ? () => void pages.fetchNextPage() : undefined}
            isLoading={pages.isFetchingNextPage}
          />
        </>
      )}
    </ListPart>
  );
}

/** Where there is no room, one column tells what four do. */
function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Moment at={entry.timestamp} />
      </Table.Td>
      <Table.Td visibleFrom="sm" miw={120} maw={260} style={{ overflowWrap: 'anywhere' }}>
        {entry.actor}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Dimmed size="xs" hiddenFrom="sm">
          {entry.actor}
        </Dimmed>
        {actionText(entry)} <Subject entry={entry} />
        <Box hiddenFrom="sm">
          <Details entry={entry} />
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Details entry={entry} />
      </Table.Td>
    </Table.Tr>
  );
}

function Details({ entry: { details } }: { readonly entry: AuditEntry }) {
  if (Object.keys(details).length === 0) return null;
  return (
    <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
      {jsonText(details)}
    </Code>
  );
}

function Subject({ entry: { subject_type, subject_id } }: { readonly entry: AuditEntry }) {
  if (subject_type === 'INCIDENT') {
    return (
      <TextLink to={`/incidents/${subject_id}`} underline="always">
        {subject_id}
      </TextLink>
    );
  }
  return (
    <Text span size="sm" fw={500}>
      {subject_id}
    </Text>
  );
}

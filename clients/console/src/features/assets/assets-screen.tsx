import { Anchor, Badge, Button, Skeleton, Table, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { UploadFile } from '../uploads/upload-file.tsx';
import { assetList, scoreColour, scores } from './queries.ts';

export function AssetsScreen() {
  const { observability } = useServices();
  const [isUploading, { open, close }] = useDisclosure(false);
  const [sought, setSought] = useState('');
  const assets = useQuery(assetList(observability));
  const scored = useQuery(scores(observability));
  const scoreOf = new Map(scored.data?.map((each) => [each.asset_id, each]));
  const shown = assets.data?.filter(({ name }) => name.toLowerCase().includes(sought.toLowerCase())) ?? [];
  const upload = (
    <Button leftSection={<IconUpload size={14} />} onClick={open}>
      Upload a file
    </Button>
  );
  return (
    <Page title="Assets" actions={upload}>
      {assets.isError && <ErrorPanel error={assets.error} doing="list the assets" onRetry={() => void assets.refetch()} />}
      {assets.isPending && <Skeleton height={240} />}
      {assets.data?.length === 0 && (
        <EmptyState title="No asset yet" action={upload} command="sextant observe assets --help">
          An asset is a file, a table or a vector collection that is scanned. Upload a file for a first look, or connect a source.
        </EmptyState>
      )}
      {assets.data !== undefined && assets.data.length > 0 && (
        <>
          <TextInput
            aria-label="Find by name"
            placeholder={`Find among ${countText(assets.data.length)}`}
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
            maw={320}
          />
          <Table.ScrollContainer minWidth={560}>
            <Table highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Type</Table.Th>
                  <Table.Th ta="right">Score</Table.Th>
                  <Table.Th>Last scan</Table.Th>
                  <Table.Th>Registered</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((asset) => {
                  const score = scoreOf.get(asset.id);
                  return (
                    <Table.Tr key={asset.id}>
                      <Table.Td>
                        <Anchor component={Link} to={`/assets/${asset.project_id}/${asset.id}`} size="sm" fw={500}>
                          {asset.name}
                        </Anchor>
                      </Table.Td>
                      <Table.Td>{asset.type.toLowerCase().replaceAll('_', ' ')}</Table.Td>
                      <Table.Td ta="right">
                        {score?.score == null ? (
                          '–'
                        ) : (
                          <Badge variant="dot" color={scoreColour(score)}>
                            {score.score.toFixed(0)}
                          </Badge>
                        )}
                      </Table.Td>
                      <Table.Td>{score?.metric_time == null ? 'never' : <Moment at={score.metric_time} />}</Table.Td>
                      <Table.Td>
                        <Moment at={asset.created_at} />
                      </Table.Td>
                    </Table.Tr>
                  );
                })}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
      {isUploading && <UploadFile onClose={close} />}
    </Page>
  );
}

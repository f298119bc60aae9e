import { Button, FileInput, Group, Modal, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type DragEvent, type SubmitEvent, useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { bytesText } from '../../ui/figures.ts';

/** A file, dropped or chosen, becomes an asset with all its attributes monitored, and its first scan begins. */
export function UploadFile({ onClose }: { readonly onClose: () => void }) {
  const { observability } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState('');
  const [share, setShare] = useState(0);
  const projects = useQuery({ queryKey: ['observability', 'projects'], queryFn: ({ signal }) => observability.listProjects({ signal }) });
  const choose = (chosen: File | null) => {
    setFile(chosen);
    if (chosen !== null && name === '') setName(chosen.name.replace(/\.[^.]+$/, ''));
  };
  const sending = useMutation({
    mutationFn: async (chosen: File) => {
      const project = projects.data?.[0];
      if (project === undefined) throw new Error('There is no project to register the asset in.');
      const upload = await observability.upload(chosen.name, chosen, {
        onProgress: ({ bytesSent }) => setShare(chosen.size === 0 ? 1 : bytesSent / chosen.size),
      });
      const asset = await observability.createAsset({ project_id: project.id, name: name.trim(), type: 'UPLOAD', payload: upload.payload });
      await observability.putAttributes({ asset_id: asset.id, all: true });
      await observability.startScan({ asset_id: asset.id });
      return asset;
    },
    onSuccess: async (asset) => {
      await queries.invalidateQueries({ queryKey: ['observability', 'assets'] });
      onClose();
      await navigate({ to: '/assets/$projectId/$assetId', params: { projectId: String(asset.project_id), assetId: asset.id } });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (file !== null) sending.mutate(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    choose(event.dataTransfer.files.item(0));
  };
  return (
    <Modal opened onClose={onClose} title="Upload a file">
      {/* Dropping is a shortcut for the button beside it. */}
      <form onSubmit={submit} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <Stack gap="sm">
          <FileInput
            label="File"
            placeholder="Choose, or drop one here"
            description="CSV, NDJSON or Parquet"
            value={file}
            onChange={choose}
            size="xs"
            required
          />
          <TextInput label="Name of the asset" value={name} onChange={(event) => setName(event.currentTarget.value)} required />
          {sending.isPending && file !== null && (
            <>
              <Progress value={share * 100} aria-label="Uploaded" />
              <Text size="xs" c="dimmed">
                {share < 1 ? `${bytesText(file.size * share)} of ${bytesText(file.size)}` : 'Uploaded; reading its columns'}
              </Text>
            </>
          )}
          {sending.isError && <ErrorPanel error={sending.error} doing="upload the file" />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={file === null} loading={sending.isPending}>
              Upload and scan
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

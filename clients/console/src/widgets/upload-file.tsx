// SPDX-License-Identifier: Apache-2.0
import { FileInput, Progress, Select, TextInput } from '@mantine/core';
import type { Asset, Upload } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Encoding } from '../data/assets/encodings.ts';
import { projectList } from '../data/assets/queries.ts';
import { fieldError } from '../data/services/field-error.ts';
import { OBSERVABILITY_KEY, queryClient } from '../data/services/query-client.ts';
import { useServices } from '../data/services/services.ts';
import { Dimmed } from '../ui/dimmed.tsx';
import { textField } from '../ui/fields.ts';
import { bytesText } from '../ui/figures.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { EncodingSelect } from './encoding-select.tsx';
import { NO_POINTS, VectorColumns, vectorMembers } from './vector-columns.tsx';

/** Every tenant has it. */
const DEFAULT_PROJECT = '0';

type UploadFileProps = {
  /** The file to begin with, where one was dropped. */
  readonly file?: File | null;
  /** The asset that gets the file as its next delivery; without one, the file becomes an asset. */
  readonly asset?: Asset;
  readonly onClose: () => void;
};

/** A file, dropped or chosen, becomes an asset with all its attributes monitored, or the next delivery of one, and is scanned. */
export function UploadFile({ file: dropped = null, asset, onClose }: UploadFileProps) {
  const { observability } = useServices();
  const navigate = useNavigate();
  const [file, setFile] = useState(dropped);
  const [name, setName] = useState(dropped === null ? '' : nameOf(dropped));
  const [projectId, setProjectId] = useState(DEFAULT_PROJECT);
  const [points, setPoints] = useState(NO_POINTS);
  const [encoding, setEncoding] = useState<Encoding>();
  const [bytesSent, setBytesSent] = useState(0);
  const stop = useRef<AbortController>(undefined);
  // What has arrived need not be sent again because the name was refused.
  const arrived = useRef<{ readonly file: File; readonly upload: Upload }>(undefined);
  const projects = useQuery(projectList(observability));

  const send = async (chosen: File): Promise<Upload> => {
    if (arrived.current?.file === chosen) return arrived.current.upload;
    setBytesSent(0);
    stop.current = new AbortController();
    const upload = await observability.upload(chosen.name, chosen, {
      signal: stop.current.signal,
      onProgress: (progress) => setBytesSent(progress.bytesSent),
    });
    arrived.current = { file: chosen, upload };
    return upload;
  };
  const sending = useMutation({
    mutationFn: async (chosen: File) => {
      const { payload } = await send(chosen);
      const options = encoding === undefined ? {} : { options: { reading: { ...asset?.options.reading, encoding } } };
      const delivered =
        asset === undefined
          ? await observability.createAsset({
              project_id: projectId,
              name: name.trim(),
              type: 'UPLOAD',
              payload: { ...payload, ...vectorMembers(points) },
              ...options,
            })
          : await observability.updateAsset({
              project_id: asset.project_id,
              asset_id: asset.id,
              payload: { ...pointMembers(asset), ...payload },
              ...options,
            });
      if (asset === undefined) await observability.putAttributes({ asset_id: delivered.id, all: true });
      await observability.startScan({ asset_id: delivered.id });
      return delivered;
    },
    onSuccess: async (delivered) => {
      await queryClient.invalidateQueries({ queryKey: OBSERVABILITY_KEY });
      onClose();
      await navigate({ to: '/assets/$projectId/$assetId', params: { projectId: String(delivered.project_id), assetId: delivered.id } });
    },
  });
  const close = () => {
    stop.current?.abort(new Error('The upload was cancelled.'));
    onClose();
  };
  const choose = (chosen: File | null) => {
    setFile(chosen);
    setEncoding(undefined);
    if (chosen !== null && name === '') setName(nameOf(chosen));
  };
  const nameError = fieldError(sending.error, 'name');
  const encodingError = fieldError(sending.error, 'options.reading.encoding');
  return (
    <FormDialog
      title={asset === undefined ? 'Upload a file' : `Next delivery of ${asset.name}`}
      verb="Upload and scan"
      isDisabled={file === null}
      saving={sending}
      doing="upload the file"
      isErrorAtField={nameError !== undefined || encodingError !== undefined}
      onSubmit={() => file !== null && sending.mutate(file)}
      onDropFile={choose}
      onClose={close}
    >
      <FileInput
        label="File"
        placeholder="Choose a file or drop it here"
        description="CSV, TSV, NDJSON, JSON, Parquet, Arrow, Avro, ORC, NumPy or Excel; text files may be compressed with gzip or zstd"
        value={file}
        onChange={choose}
        disabled={sending.isPending}
        required
      />
      {asset === undefined && (
        <>
          <TextInput label="Name of the asset" {...textField(name, setName)} error={nameError} disabled={sending.isPending} required />
          <Select
            label="Project"
            data={
              projects.data?.map((each) => ({ value: String(each.id), label: each.name })) ?? [{ value: DEFAULT_PROJECT, label: 'Default' }]
            }
            value={projectId}
            onChange={(chosen) => setProjectId(chosen ?? DEFAULT_PROJECT)}
            allowDeselect={false}
            disabled={sending.isPending}
          />
          <VectorColumns
            value={points}
            onChange={setPoints}
            error={fieldError(sending.error, 'payload.vectors')}
            isDisabled={sending.isPending}
          />
        </>
      )}
      {(encodingError !== undefined || encoding !== undefined) && (
        <EncodingSelect value={encoding} onChange={setEncoding} error={encodingError} isDisabled={sending.isPending} />
      )}
      {sending.isPending && file !== null && <Sent bytes={bytesSent} of={file.size} />}
    </FormDialog>
  );
}

function Sent({ bytes, of }: { readonly bytes: number; readonly of: number }) {
  const share = of === 0 ? 1 : Math.min(1, bytes / of);
  return (
    <div>
      <Progress value={share * 100} aria-label="Uploaded" />
      <Dimmed size="xs" mt={4} role="status">
        {share < 1 ? `${bytesText(of * share)} of ${bytesText(of)}` : 'Uploaded; reading the columns'}
      </Dimmed>
    </div>
  );
}

/** The next delivery has its points in the same columns. */
function pointMembers({ payload: { vectors, id } }: Asset) {
  return { ...(vectors !== undefined && { vectors }), ...(id !== undefined && { id }) };
}

function nameOf(file: File): string {
  return file.name.replace(/(\.[^.]{1,8}){1,2}$/, '');
}

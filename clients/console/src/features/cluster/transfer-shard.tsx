// SPDX-License-Identifier: Apache-2.0
import { Select, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Holder, NodeRow } from '../../data/cluster/shard-rows.ts';
import { checkField } from '../../ui/fields.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

type Way = { readonly shard_id: number; readonly from_peer_id: number; readonly to_peer_id: number };

type TransferShardProps = {
  readonly shard: number;
  readonly sources: readonly Holder[];
  readonly targets: readonly NodeRow[];
  readonly transfer: (change: { readonly move_shard: Way } | { readonly replicate_shard: Way }) => Promise<void>;
  readonly onClose: () => void;
};

/** From which node to which; the dialog closes once the transfer has begun. */
export function TransferShard({ shard, sources, targets, transfer, onClose }: TransferShardProps) {
  const [from, setFrom] = useState(String(sources[0]?.id ?? ''));
  const [to, setTo] = useState(String(targets[0]?.id ?? ''));
  const [isCopy, setIsCopy] = useState(false);
  const saving = useMutation({
    mutationFn: () => {
      const way = { shard_id: shard, from_peer_id: Number(from), to_peer_id: Number(to) };
      return transfer(isCopy ? { replicate_shard: way } : { move_shard: way });
    },
    onSuccess: onClose,
  });
  const choices = (nodes: readonly { readonly id: number; readonly name: string }[]) =>
    nodes.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <FormDialog
      title={`Move or copy shard ${shard}`}
      verb={isCopy ? 'Copy' : 'Move'}
      saving={saving}
      doing="start the transfer"
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <Select label="From" data={choices(sources)} value={from} onChange={(value) => setFrom(value ?? from)} allowDeselect={false} />
      <Select label="To" data={choices(targets)} value={to} onChange={(value) => setTo(value ?? to)} allowDeselect={false} />
      <Switch label="Keep the copy on the source node" {...checkField(isCopy, setIsCopy)} />
    </FormDialog>
  );
}

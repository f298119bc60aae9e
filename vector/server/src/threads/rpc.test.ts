// SPDX-License-Identifier: Apache-2.0
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { RpcClient, serveRpc } from './rpc.ts';

function connected(handle: (request: number) => Promise<number>) {
  const { port1, port2 } = new MessageChannel();
  serveRpc(port2, handle);
  return { client: new RpcClient<number, number>(port1), close: () => port1.close(), port: port1 };
}

test('answers come back to their own calls, whatever their order', async () => {
  const { client, close } = connected(async (request) => {
    if (request === 1) await new Promise((resolve) => setTimeout(resolve, 5));
    return request * 10;
  });
  expect(await Promise.all([client.call(1), client.call(2)])).toEqual([10, 20]);
  close();
});

test('a failure on the other side is a failure of the call', async () => {
  const { client, close } = connected(async () => {
    throw new Error('no');
  });
  await expect(client.call(1)).rejects.toThrow('no');
  close();
});

test('calls to a thread that has gone fail instead of waiting for ever', async () => {
  const { client, close } = connected(() => new Promise(() => undefined));
  const call = client.call(1);
  close();
  await expect(call).rejects.toThrow('gone');
  await expect(client.call(2)).rejects.toThrow('gone');
});

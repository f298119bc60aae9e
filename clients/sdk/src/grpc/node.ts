// SPDX-License-Identifier: Apache-2.0
/** Node speaks gRPC. */
import type { OpenGrpc } from './port.ts';

export const openGrpc: OpenGrpc = async (options) => {
  const { openChannel } = await import('./channel.ts');
  return openChannel(options);
};

// SPDX-License-Identifier: Apache-2.0
/** The protocol over standard input and output, for an agent that starts this program itself. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpOptions } from './server.ts';

/** Resolves when the agent has closed its end, or at Ctrl-C. */
export async function serveMcpOverStdio(options: McpOptions): Promise<void> {
  const mcp = createMcpServer(options);
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  options.signal.addEventListener('abort', end, { once: true });
  await mcp.connect(new StdioServerTransport());
  await ended.promise;
  await mcp.close();
}

// SPDX-License-Identifier: Apache-2.0
/**
 * The tools behind the Model Context Protocol. Input is validated against the schema that a tool is listed with; what a service refuses becomes a
 * tool's error in the service's words, so that an agent can mend its call; what goes out is bounded.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  type Tool as ListedTool,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { refusalOf } from '@sextant/foundation-contract';
import { SextantError } from '@sextant/sdk';
import { CommandFailure, sentenceOf } from '../failure.ts';
import { version } from '../version.ts';
import { ANSWER_BYTES_MAX, plainJson } from './bounded.ts';
import type { Tool, ToolFailure, ToolServices } from './tool.ts';
import { toolFailure } from './tool-failure.ts';
import { collectionTools } from './tools/collections.ts';
import { observabilityTools } from './tools/observability.ts';
import { upsertTool } from './tools/upsert.ts';

const ALL_TOOLS: readonly Tool[] = [...collectionTools, upsertTool, ...observabilityTools];

const INSTRUCTIONS =
  'A vector database (collections of points with vectors and payloads) and a data observability service (assets that are scanned, monitors, incidents). ' +
  'Start with list_collections or asset_health. Tools that write accept dry_run: use it first. Answers are limited in size; left_out says how much is missing.';

export type McpOptions = {
  readonly services: ToolServices;
  /** Without the tools that write. */
  readonly readOnly: boolean;
  /** Aborted when the program ends. */
  readonly signal: AbortSignal;
};

export function toolsFor({ readOnly }: Pick<McpOptions, 'readOnly'>): readonly Tool[] {
  return ALL_TOOLS.filter(({ kind }) => !readOnly || kind === 'read');
}

/** One for each connection, or for each request where there are no sessions. */
export function createMcpServer(options: McpOptions): McpServer {
  const tools = toolsFor(options);
  const mcp = new McpServer({ name: 'sextant', title: 'Sextant', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  // The schemas are JSON Schema already, which the high-level registration (Zod) does not take.
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  mcp.server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params: { name, arguments: input = {}, _meta } }, { signal, sendNotification }) => {
      const wanted = tools.find((tool) => tool.name === name);
      if (wanted === undefined)
        return failed({ message: `unknown tool ${name}`, advice: `Available tools: ${tools.map((tool) => tool.name).join(', ')}.` });
      const progressToken = _meta?.progressToken;
      let reported = -1;
      const report = (share: number, message: string) => {
        // Progress must grow, and is nothing worth failing for.
        if (progressToken === undefined || share <= reported) return;
        reported = share;
        sendNotification({ method: 'notifications/progress', params: { progressToken, progress: share, total: 1, message } }).catch(
          () => undefined,
        );
      };
      return call(wanted, input, { services: options.services, signal: AbortSignal.any([signal, options.signal]), report });
    },
  );
  return mcp;
}

function listed({ name, title, description, kind, isIdempotent, input, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    // TypeBox's schemas of objects are what the protocol calls a schema.
    inputSchema: input as ListedTool['inputSchema'],
    outputSchema: output as NonNullable<ListedTool['outputSchema']>,
    annotations: {
      title,
      readOnlyHint: kind === 'read',
      destructiveHint: kind === 'write',
      idempotentHint: isIdempotent,
      openWorldHint: false,
    },
  };
}

async function call(tool: Tool, input: unknown, context: Parameters<Tool['run']>[1]): Promise<CallToolResult> {
  const refusal = refusalOf(tool.input, input, 'the arguments');
  if (refusal !== undefined) return failed({ message: refusal.sentence, advice: undefined });
  try {
    // An object without what JSON cannot say.
    const structuredContent = plainJson(await tool.run(input, context)) as { [name: string]: unknown };
    const text = JSON.stringify(structuredContent);
    if (Buffer.byteLength(text) > ANSWER_BYTES_MAX) {
      return failed({
        message: `the answer would have ${Buffer.byteLength(text)} bytes; at most ${ANSWER_BYTES_MAX} are allowed`,
        advice: 'Ask for less data.',
      });
    }
    return { structuredContent, content: [{ type: 'text', text }] };
  } catch (error) {
    if (error instanceof CommandFailure) return failed(error);
    if (error instanceof SextantError) return failed(toolFailure(error));
    return failed({ message: sentenceOf(error), advice: undefined });
  }
}

function failed({ message, advice }: ToolFailure): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: advice === undefined ? message : `${message}. ${advice}` }] };
}

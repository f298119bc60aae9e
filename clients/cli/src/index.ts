// SPDX-License-Identifier: Apache-2.0
export { MCP_TOKEN_VARIABLE } from './commands/mcp.ts';
export { type ArgumentFacts, type CommandFacts, flattened, type OptionFacts } from './completion/command-tree.ts';
export { ADMIN_PASSWORD_VARIABLE } from './connection/clients.ts';
export { VARIABLES } from './connection/settings.ts';
export { EXIT_CODES } from './failure.ts';
export { commandReference } from './reference.ts';

#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './server.ts';
import { readSettings } from './settings.ts';

try {
  const settings = readSettings(process.env);
  serveStdio(() => createServer(settings));
} catch (error) {
  // Standard output belongs to the protocol.
  process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

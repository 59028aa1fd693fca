import type { Configuration } from './configuration.js';
import type { Deployment } from './deployment.js';
import { gatewayNotes } from './gateways-of.js';
import { settingsNotes } from './settings-of.js';

/** What is right in a file, and asked about all the same: it is seldom meant. */
export function configurationNotes(file: Configuration, deployment: Deployment): string[] {
  return [...settingsNotes(file.settings, deployment.mode), ...gatewayNotes(file, deployment)];
}

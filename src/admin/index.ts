export type { AuditTrail } from './commands/command-context.js';
export { AdminModule } from './admin-context.js';
export { type ApplyResult, ConfigurationApplier } from './configuration-applier.js';
export type { Deployment } from './configuration/fields.js';
export {
  adapterProblem,
  lenderAddressProblem,
  REMOTE_ADAPTER,
  stepsWithoutHost,
  unservedProblem,
} from './configuration/serving.js';
export { readConfigurationFile } from './configuration-file.js';
export { type IssuedKey, KeyAdministration, PartnerAdministration } from './key-administration.js';
export { ConfigurationError, Refusal } from './refusal.js';
export { type CommandSurroundings, runCommandLine } from './command-line.js';
export {
  ADMIN_ENTITIES,
  ADMIN_KEPT,
  OPERATOR_COMMAND_SOURCE,
} from './store/operator-commands.repository.js';

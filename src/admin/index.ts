export { AdminModule } from './admin.module.js';
export { type ApplyResult, ConfigurationApplier } from './apply-configuration.js';
export { brandOf } from './configuration/brand-of.js';
export { readConfigurationFile } from './configuration-file.js';
export { ConfigurationError } from './configuration-error.js';
export { type IssuedKey, KeyAdministration, type KeyOrder } from './key-administration.js';
export { PartnerAdministration } from './partner-administration.js';
export { Refusal } from './refusal.js';
export { type CommandSurroundings, runCommandLine } from './command-line.js';

import { LenderApiModule, RlpConnector } from './lender-api/index.js';
import type { ConnectorBinding } from './lenders/index.js';
import type { Mode } from './platform/index.js';
import { SandboxLender, SandboxModule } from './sandbox/index.js';

/**
 * The connectors to lenders that this build has. Every lender outside the process is spoken to in
 * the lender protocol; the sandbox has simulated lenders beside them.
 */
export function lenderConnectors(mode: Mode): ConnectorBinding {
  return mode === 'sandbox'
    ? { imports: [SandboxModule, LenderApiModule], inject: [SandboxLender, RlpConnector] }
    : { imports: [LenderApiModule], inject: [RlpConnector] };
}

/** What a lender of the configuration may name as its `adapter`. */
export function lenderAdapters(mode: Mode): string[] {
  return lenderConnectors(mode).inject.map(({ adapter }) => adapter);
}

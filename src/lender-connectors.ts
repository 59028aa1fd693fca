import { LenderApiModule, RlpConnector } from './lender-api/index.js';
import type { ConnectorBinding } from './lenders/index.js';
import type { Mode } from './platform/index.js';
import { SandboxLender, SandboxModule } from './sandbox/index.js';

/** Lenders outside the process use the lender protocol; the sandbox adds simulated ones. */
export function lenderConnectors(mode: Mode): ConnectorBinding {
  return mode === 'sandbox'
    ? { imports: [SandboxModule, LenderApiModule], inject: [SandboxLender, RlpConnector] }
    : { imports: [LenderApiModule], inject: [RlpConnector] };
}

export function lenderAdapters(mode: Mode): string[] {
  return lenderConnectors(mode).inject.map(({ adapter }) => adapter);
}

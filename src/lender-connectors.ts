import type { ConnectorBinding } from './lenders/index.js';
import type { Mode } from './platform/index.js';
import { SandboxLender, SandboxModule } from './sandbox/index.js';

/**
 * The connectors to lenders that this build has. The sandbox's lenders are simulated; a real
 * lender's connector is bound here beside them.
 */
export function lenderConnectors(mode: Mode): ConnectorBinding {
  return mode === 'sandbox'
    ? { imports: [SandboxModule], inject: [SandboxLender] }
    : { imports: [], inject: [] };
}

/** What a lender of the configuration may name as its `adapter`. */
export function lenderAdapters(mode: Mode): string[] {
  return lenderConnectors(mode).inject.map(({ adapter }) => adapter);
}

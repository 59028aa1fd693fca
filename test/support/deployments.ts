import type { Deployment } from '../../src/admin/index.js';
import { lenderAdapters } from '../../src/composition.js';

/** A developer's machine, against which test configurations are checked. */
export const SANDBOX_DEPLOYMENT: Deployment = {
  mode: 'sandbox',
  isLoopback: true,
  privateNetworks: [],
  sandboxOpen: false,
  lenderAdapters: lenderAdapters('sandbox'),
};

/** Production, with a build that has a connector to lenders. */
export const PRODUCTION_DEPLOYMENT: Deployment = {
  mode: 'production',
  isLoopback: false,
  privateNetworks: [],
  sandboxOpen: false,
  lenderAdapters: ['wire'],
};

/**
 * A service in production mode on its own port, which a test reads from it. The test database does not write through to
 * disk.
 */
export const PRODUCTION_VARIABLES = {
  MODE: 'production',
  BASE_URL: 'https://loans.example',
  DATABASE_LOSS_ACCEPTED: 'true',
};
